"""What a first start puts into the database: the tables, the sample and names for it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from econweb.catalogue import editions, loading
from econweb.catalogue.lock import Held
from econweb.installation import keep_to_owner
from econweb.management.sample_labels import sample_labels
from econweb.schema import NewerSchema, check_not_newer
from econweb.shelf import labels
from econweb.shelf.models import Label

# A number that nobody else locks.
STARTING = 0x65636F6E


def prepare_database() -> None:
    # A file elsewhere may be shared on purpose.
    if connection.settings_dict["NAME"] == str(settings.DATA_DIR / "econweb.sqlite3"):
        keep_to_owner(settings.DATA_DIR / "econweb.sqlite3")
    with _one_host_at_a_time():
        try:
            check_not_newer(MigrationLoader(connection))
        except NewerSchema as newer:
            raise CommandError(str(newer)) from None
        call_command("migrate", verbosity=0, interactive=False)
        if not settings.ECON_BASE_URL:
            _put_sample()
    # The process that watches over the workers needs none, and an open one keeps them from a file put back.
    connection.close()


def _put_sample() -> None:
    try:
        loading.put_sample()
    except Held as holder:
        raise CommandError(f"The sample is being loaded already: {holder}. Try again.") from None
    if not Label.objects.exists():
        labels.put(sample_labels())
    try:
        editions.current()
    except editions.OtherFormat as problem:
        sys.stderr.write(f"{problem}\n")


@contextmanager
def _one_host_at_a_time() -> Iterator[None]:
    """Hosts that share a PostgreSQL may start together; those that wait find nothing left to do."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [STARTING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [STARTING])
