"""Locks of PostgreSQL for a purpose, where no row can be locked; each ends with its transaction."""

from django.db import connection

# Any numbers that no other lock of the program has; startup/prepare_database.py has another one.
CONTENT, NAMES = 0x6C696272, 0x6E616D65


def take_turns(purpose: int) -> None:
    """Let transactions of this purpose follow each other from here on.

    SQLite lets one transaction write at a time, from its beginning.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [purpose])
