"""Checks that the database can be used, and has the tables of this version of the program."""

from pathlib import Path

from django.db import DatabaseError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader

from econweb.config.file_access import describe_inaccessible, find_inaccessible

# The code (SQLSTATE) of PostgreSQL for a write in a read-only transaction; each transaction of a replica is one.
READ_ONLY_CODE = "25006"


class NewerSchema(Exception):
    """A later version has changed the tables; writes by this one could damage them."""

    def __init__(self, migrations: list[str]) -> None:
        words = "The database is of a newer version of econweb"
        super().__init__(f"{words} ({', '.join(migrations)}): start that one, or restore an older copy.")


def check_not_newer(loader: MigrationLoader) -> None:
    """Raise NewerSchema if migrations were applied that this version does not have."""
    unknown = [
        f"{app}.{name}"
        for app, name in sorted(loader.applied_migrations)
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if unknown:
        raise NewerSchema(unknown)


def is_refused_write(error: BaseException) -> bool:
    """Return whether PostgreSQL refused a write because it is read-only."""
    return getattr(error.__cause__, "sqlstate", "") == READ_ONLY_CODE


def is_replica() -> bool:
    """Return whether this PostgreSQL follows a primary, which takes the writes."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        return bool(cursor.fetchone()[0])


def describe_database_error(error: DatabaseError) -> str:
    """Return one sentence about the error, and one about what to do."""
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        if refused := find_inaccessible(*(Path(f"{name}{suffix}") for suffix in ("", "-wal", "-shm"))):
            return describe_inaccessible(refused)
        if not Path(name).exists():
            return f"There is no database {name}. Restore it, or call `manage.py migrate` for a new one."
    first, *more = str(error).strip().split("\n")
    # libpq adds a line for each further attempt, such as the one without TLS; other lines only give hints.
    causes = [line.partition(" failed: ")[2] for line in more if line.startswith("connection to ")]
    words = "; ".join([first, *(cause for cause in causes if cause not in first)]).rstrip(".")
    if is_refused_write(error):
        advice = "Only a primary takes writes: check DATABASE_URL, and default_transaction_read_only of PostgreSQL"
        return f"The database is read-only, as a replica is: {words}. {advice}."
    lacks = isinstance(error, ProgrammingError) or words.startswith("no such ")
    advice = "Call `manage.py migrate`" if lacks else "Check DATABASE_URL, and whether the database is running"
    if "full" in words or "disk I/O" in words or "No space left" in words:
        advice = "Free space on the disk of the database"
    return f"The database cannot be used: {words}. {advice}."
