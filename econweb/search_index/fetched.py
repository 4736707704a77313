"""Series that the service sent: a thread writes them into the index in batches, so that no page waits."""

import time
from threading import Lock, Thread
from typing import Any, ClassVar

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from econweb.search_index import titles
from econweb.search_index.places import Record
from econweb.upstream.records import Series

SECONDS_BETWEEN_WRITES = 3.0
# More are dropped until the next write; they come again when somebody opens them.
MAX_WAITING = 5000
log = structlog.get_logger("econweb.search_index")


class _Memory:
    waiting: ClassVar[dict[str, Record]] = {}
    is_writing = False
    lock = Lock()


def remember(series: Series, **_: Any) -> None:
    """Note a series; the embedded catalogue is in the index as a whole."""
    if not settings.ECON_MAY_STORE or not settings.ECON_BASE_URL:
        return
    record = Record(
        series.id, series.title, series.frequency, series.seasonal_adjustment, series.units, series.popularity
    )
    with _Memory.lock:
        if len(_Memory.waiting) < MAX_WAITING:
            _Memory.waiting[series.id] = record
        starts = not _Memory.is_writing
        _Memory.is_writing = True
    if starts:
        start_thread()


def start_thread() -> None:
    Thread(target=_write_later, daemon=True).start()


def write_waiting() -> None:
    with _Memory.lock:
        records, _Memory.waiting, _Memory.is_writing = list(_Memory.waiting.values()), {}, False
    try:
        titles.add(records, titles.FETCHED)
    except DatabaseError:
        # They come again with the next request for them.
        log.warning("titles of series could not be written", count=len(records))


def _write_later() -> None:
    time.sleep(SECONDS_BETWEEN_WRITES)
    try:
        write_waiting()
    finally:
        connection.close()
