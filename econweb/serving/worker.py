"""A worker process: its heartbeat, its counts, its application, and its threads besides those that answer."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from pkgutil import resolve_name
from threading import Thread, current_thread
from typing import Any

import structlog
from django.db import Error, InternalError, OperationalError, connection
from django.db.backends.signals import connection_created

from econweb.serving.hung_workers import start_heartbeat
from econweb.serving.monitoring.worker_counts import share_counts
from econweb.serving.monitoring.worker_metrics import note_success
from econweb.startup.schema_version import describe_database_error, is_refused_write, is_replica

# The first users after a start come first.
START_SECONDS = 2.0
# Waits after an unexpected failure double up to the longest one.
MIN_WAIT, MAX_WAIT = 10.0, 600.0
# A connection that is used again sooner stays open.
MAX_OPEN_SECONDS = 1.0
# As long as a writer of SQLite waits (config/database_config.py). A command, such as a migration, may wait longer.
MAX_LOCK_WAIT = "5s"
log = structlog.get_logger("econweb.threads")


def load_worker(writer: Connection, counts: Path, target: str) -> Callable[..., Any]:
    """Load the application of a worker, which from then on reports and shares its counts, and start its threads."""
    start_heartbeat(writer)
    share_counts(counts)
    connection_created.connect(_limit_lock_waits)
    application: Callable[..., Any] = resolve_name(target)
    from econweb.serving.background import list_steps  # noqa: PLC0415  it has models, which the application loads

    for name, step in list_steps():
        # The alert needs a value of a thread that fails from its first step on.
        note_success(name)
        # A daemon thread does not delay the end of the worker; each of its writes is whole.
        Thread(target=_repeat, args=(step,), name=name, daemon=True).start()
    return application


def _limit_lock_waits(connection: Any, **_: Any) -> None:
    """Let no request or thread wait for a row of another host for ever."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [MAX_LOCK_WAIT])


def _repeat(step: Callable[[], float]) -> None:
    pause, wait = START_SECONDS, 0.0
    while True:
        time.sleep(pause)
        pause, wait = run_step(step, wait)


def run_step(step: Callable[[], float], wait: float) -> tuple[float, float]:
    """Return the seconds until the next step, and the last wait after a failure, which is 0 without one."""
    thread = current_thread().name
    try:
        pause, wait = step(), 0.0
        note_success(thread)
    except Exception as error:  # whatever it is, users do not see it
        if _is_left_to_primary(error):
            note_success(thread)
            _say_who_writes(thread)
            # The replica may become the primary.
            pause, wait = MAX_WAIT, 0.0
        else:
            if not wait:
                _log_failure(thread, error)
            pause = wait = min(max(MIN_WAIT, 2 * wait), MAX_WAIT)
    if pause >= MAX_OPEN_SECONDS or wait:
        connection.close()
    return pause, wait


def _is_left_to_primary(error: Exception) -> bool:
    """Return whether a replica refused a write; a primary that is read-only by accident is a failure."""
    if is_refused_write(error):
        with suppress(Error):
            return is_replica()
    return False


@cache
def _say_who_writes(thread: str) -> None:
    """Log once what would be said at every step."""
    log.info("the database is a replica, and hosts of the primary do the work of a background thread", thread=thread)


def _log_failure(thread: str, error: Exception) -> None:
    fields: dict[str, object] = {"thread": thread, "failure": type(error).__name__, "exc_info": True}
    if isinstance(error, (OperationalError, InternalError)):
        # A database that is away or read-only needs no trace.
        fields |= {"reason": describe_database_error(error), "exc_info": False}
    log.error("a background thread failed, and tries again later", **fields)
