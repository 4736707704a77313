"""A write that no page depends on: it is left out while another writer holds the database or the row."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.db import Error, connection, transaction

# PostgreSQL takes 0 for no limit.
SHORTEST_LOCK_WAIT = "1ms"


def write_unless_locked(write: Callable[[], object]) -> None:
    """Write in a transaction, or do nothing at once where a lock or a failure of the database prevents it."""
    with suppress(Error), _without_waiting_for_sqlite(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, true)", [SHORTEST_LOCK_WAIT])
        write()


@contextmanager
def _without_waiting_for_sqlite() -> Iterator[None]:
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        milliseconds = int(cursor.fetchone()[0])
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
