"""The database before serving: permissions, migrations, the sample and its names."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from econweb.catalogue.answers import snapshot as editions
from econweb.catalogue.loading import load as loading
from econweb.catalogue.loading.conversion import convert_older
from econweb.catalogue.loading.lock import AlreadyLocked
from econweb.config.secret_key import make_database, make_private
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.startup.sample_labels import sample_labels
from econweb.startup.schema_version import NewerSchema, check_not_newer


def restrict_permissions(database: Path) -> None:
    make_database(database)
    for beside in ("", "-wal", "-shm"):
        with suppress(OSError):
            make_private(Path(f"{database}{beside}"))


# A number that nobody else locks.
STARTUP_LOCK_ID = 0x65636F6E


def prepare_database() -> None:
    make_sqlite_file()
    with _startup_lock():
        try:
            check_not_newer(MigrationLoader(connection))
        except NewerSchema as newer:
            raise CommandError(str(newer)) from None
        call_command("migrate", verbosity=0, interactive=False)
        convert_older()
        if not settings.ECON_BASE_URL:
            _load_sample()
    # The process that watches over the workers needs none, and an open one keeps them from a file put back.
    connection.close()


def make_sqlite_file() -> None:
    """Make the file of the database; all else opens it with `mode=rw` and misses it when it was deleted."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        # A file elsewhere may be shared on purpose.
        is_own = file == settings.DATA_DIR / "econweb.sqlite3"
        restrict_permissions(file) if is_own else make_database(file)


def _load_sample() -> None:
    try:
        loading.put_sample()
    except AlreadyLocked as holder:
        raise CommandError(f"The sample is being loaded already: {holder}. Try again.") from None
    if not Label.objects.exists():
        labels.save_labels(sample_labels())
    try:
        editions.current()
    except editions.FormatMismatch as problem:
        sys.stderr.write(f"{problem}\n")


@contextmanager
def _startup_lock() -> Iterator[None]:
    """Hosts that share a PostgreSQL may start together; those that wait find nothing left to do."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [STARTUP_LOCK_ID])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [STARTUP_LOCK_ID])
