"""Prepare the data before serving: permissions, migrations, the sample and its labels."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader

from econweb.catalogue.answers.snapshot import FormatMismatch, current_snapshot
from econweb.catalogue.loading.conversion import convert_older
from econweb.catalogue.loading.lock import AlreadyLocked
from econweb.config.file_access import restrict_to_owner
from econweb.label_book.models import Label
from econweb.label_book.storing import offer_labels
from econweb.startup.load_catalogue import load_sample_if_due
from econweb.startup.schema_version import NewerSchema, check_not_newer
from econweb.startup.series_titles import update_indexes
from econweb.startup.supplied_labels import mark_edited_labels, sample_labels

# Any number that no other program uses for a lock.
STARTUP_LOCK_ID = 0x65636F6E
# A host that hangs may hold the lock for ever; indexing a large catalogue takes minutes.
MAX_STARTUP_WAIT = "10min"
log = structlog.get_logger("econweb.serve")


def prepare_database() -> None:
    restrict_secret_key()
    create_sqlite_file()
    with _startup_lock():
        try:
            check_not_newer(MigrationLoader(connection))
        except NewerSchema as newer:
            raise CommandError(str(newer)) from None
        call_command("migrate", verbosity=0, interactive=False)
        convert_older()
        mark_edited_labels()
        if not settings.ECON_BASE_URL:
            _load_sample()
        update_indexes()
    # The first process needs no connection. An open one would hold on to a file that is later restored.
    connection.close()


def restrict_secret_key() -> None:
    """Let the owner alone read a generated key, and warn that others could."""
    file = settings.DATA_DIR / "secret_key"
    if file.is_file() and restrict_to_owner(file):
        log.warning("others could read the secret key, and now cannot: change it if somebody may have", file=str(file))


def create_sqlite_file() -> None:
    """Create the database file; all other code opens it with `mode=rw`, and fails if it was deleted."""
    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        # A file elsewhere may be shared on purpose.
        is_own = file == settings.DATA_DIR / "econweb.sqlite3"
        create_private_database(file) if is_own else _create_if_missing(file)


def create_private_database(file: Path) -> None:
    """Create the file, and let its owner alone use it and SQLite's files beside it."""
    _create_if_missing(file)
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            restrict_to_owner(Path(f"{file}{suffix}"))


def _create_if_missing(file: Path) -> None:
    """Create the file before SQLite does: SQLite gives its journal files the same mode."""
    # The database reports a file of another user or a read-only disk.
    with suppress(OSError):
        if not file.exists():
            file.touch(mode=0o600)


def _load_sample() -> None:
    try:
        load_sample_if_due()
    except AlreadyLocked as holder:
        raise CommandError(f"The sample is being loaded already: {holder}. Try again.") from None
    if not Label.objects.exists():
        offer_labels(sample_labels())
    try:
        current_snapshot()
    except FormatMismatch as problem:
        sys.stderr.write(f"{problem}\n")


@contextmanager
def _startup_lock() -> Iterator[None]:
    """Let one host at a time prepare a shared PostgreSQL; the others find nothing left to do."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [MAX_STARTUP_WAIT])
        try:
            cursor.execute("SELECT pg_advisory_lock(%s)", [STARTUP_LOCK_ID])
        except OperationalError:
            raise CommandError("Another host is still preparing the database. Try again, or end its start.") from None
        finally:
            cursor.execute("RESET lock_timeout")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [STARTUP_LOCK_ID])
