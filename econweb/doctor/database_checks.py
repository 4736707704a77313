"""The database and the shared cache, and what the next start would change."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection
from django.utils import timezone

from econweb.catalogue.loading.conversion import OLDER_FORMATS
from econweb.catalogue.models import Edition
from econweb.config.file_access import describe_inaccessible, find_inaccessible
from econweb.doctor.findings import Finding, error, good, warning
from econweb.startup.database_state import WAITING, check_database, waiting_migrations
from econweb.startup.schema_version import NewerSchema, describe_database_error, is_replica
from econweb.startup.static_files import are_static_files_current
from econweb.timed_http import name_cause
from econweb.watching.status import OVERDUE, waits_since

# The store skips a cache that takes longer for an operation (upstream/cache/store.py).
SLOW_SECONDS = 0.04
# Each worker has 32 slots with a connection, and opens up to six more (docs/deploy.md).
CONNECTIONS_OF_A_WORKER, CONNECTIONS_OF_COMMANDS = 38, 10
_KEY = "econweb.doctor"
# The words for errors of Redis' library.
CACHE_CAUSES = {
    "AuthenticationError": "it refuses the user or the password",
    "ConnectionError": "it ends the connection: it expects rediss://, or has too many clients",
}


def check_tables() -> Iterator[Finding]:
    file = Path(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and not file.exists():
        if find_inaccessible(file):
            yield error("database", describe_inaccessible(file))
        elif settings.STATIC_ROOT.is_dir():
            # A start collects static files after it has created the database.
            yield error("database", f"{file} is missing: restore it, or a start creates an empty one")
        else:
            yield warning("database", f"{file} is created by the first start")
        return
    try:
        connection.ensure_connection()
    except DatabaseError as problem:
        yield error("database", describe_database_error(problem))
        return
    state, kind = check_database(), connection.vendor
    if state == "ok":
        yield good("database", f"{kind} has the tables of this version")
    elif state.endswith(WAITING):
        yield warning("database", f"{kind}: {state}")
    else:
        yield error("database", f"{kind}: {state}")
    if kind == "postgresql" and state != "cannot be read":
        yield from _check_writes()
        yield from _check_connections()


def _check_writes() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        is_read_only = cursor.fetchone()[0] == "on"
    if is_replica():
        yield good("database", "it is a read-only replica: hosts of the primary write")
    elif is_read_only:
        yield warning("database", "it is read-only, and no replica: check default_transaction_read_only of PostgreSQL")


def _check_connections() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        allowed = int(cursor.fetchone()[0])
    workers = (allowed - CONNECTIONS_OF_COMMANDS) // CONNECTIONS_OF_A_WORKER
    text = f"max_connections is {allowed}: enough for {workers} workers of all hosts together"
    yield good("database", text) if workers > 1 else warning("database", text)


def check_upgrade() -> Iterator[Finding]:
    """Say what the next start would change."""
    changes = [] if are_static_files_current() else ["collects the static files"]
    try:
        changes += [f"migrates {name}" for name in waiting_migrations()]
        is_there = Edition._meta.db_table in connection.introspection.table_names()
        edition = Edition.objects.first() if is_there else None
        if edition and edition.digest.partition("-")[0] in OLDER_FORMATS:
            changes.append("converts the catalogue, which is of an earlier version")
    except (DatabaseError, NewerSchema):
        # Reported by check_tables.
        return
    yield warning("upgrade", f"the next start {'; '.join(changes)}") if changes else good("upgrade", "nothing is due")


def check_looks() -> Iterator[Finding]:
    """Say whether looks at what people follow wait for too long."""
    if check_database() != "ok":
        # Reported by check_tables.
        return
    since = waits_since()
    if since and since < timezone.now() - OVERDUE:
        advice = "see `manage.py watch --status`, WATCH and ECON_BACKGROUND_SHARE"
        yield warning("followed", f"looks have waited since {timezone.localtime(since):%Y-%m-%d %H:%M}: {advice}")
    else:
        yield good("followed", "no look at what people follow is overdue")


def check_cache() -> Iterator[Finding]:
    if not settings.CACHE_URL:
        yield good("cache", "the memory of each worker (CACHE_URL is unset)")
        return
    cache = caches["default"]
    try:
        # The program keeps its connections, so opening one does not count.
        cache.get(_KEY)
        started = time.monotonic()
        cache.set(_KEY, b"1", 10)
        is_kept = cache.get(_KEY) == b"1"
        cache.delete(_KEY)
        seconds = (time.monotonic() - started) / 3
    except Exception as failure:  # each cache backend raises its own kinds
        cause = name_cause(failure)
        yield error("cache", f"it cannot be used ({CACHE_CAUSES.get(cause, cause)}): check CACHE_URL and its server")
        return
    if not is_kept:
        yield error("cache", "it loses what was just stored: check its memory limit")
    elif seconds > SLOW_SECONDS:
        yield warning("cache", f"it takes {1000 * seconds:.0f} ms for an operation: above 40 ms it is skipped")
    else:
        yield good("cache", f"shared, {1000 * seconds:.1f} ms for an operation")


def read_clocks() -> dict[str, float]:
    """Return by how many seconds the clocks of database and cache are ahead of this one."""
    found: dict[str, float] = {}
    try:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
                found["the database"] = float(cursor.fetchone()[0]) - time.time()
        if settings.CACHE_URL:
            cache: Any = caches["default"]
            found["the cache"] = cache.time() - time.time()
    except Exception:  # reported by the check of each
        return found
    return found
