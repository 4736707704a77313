"""The threads of a worker besides those that answer: for the index, watched sources, the sweeper and mails."""

import time
from collections.abc import Callable, Iterator
from threading import Thread, current_thread
from typing import Any

import structlog
from django.conf import settings

# The first users after a start come first.
START_SECONDS = 2.0
# Waits after an unexpected failure double up to the longest one.
MIN_WAIT, MAX_WAIT = 10.0, 600.0
# A connection that is used again sooner stays open.
MAX_OPEN_SECONDS = 1.0
log = structlog.get_logger("econweb.threads")


def load_with_threads(load: Callable[[str], Any], target: str) -> Any:
    """Load the application of a worker, and start its threads."""
    application = load(target)
    for name, step in _steps():
        # A daemon thread does not delay the end of the worker; each of its writes is whole.
        Thread(target=_repeat, args=(step,), name=name, daemon=True).start()
    return application


def _steps() -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the name and the work of each thread that the settings ask for."""
    from econweb.library.copies import sweep  # noqa: PLC0415
    from econweb.search_index.reading.fetched_titles import may_write, write_fetched  # noqa: PLC0415
    from econweb.search_index.reading.lease import ReaderLease  # noqa: PLC0415
    from econweb.search_index.reading.reader import Reader, may_read  # noqa: PLC0415  only now are there models
    from econweb.search_index.tags.similar import follow_index  # noqa: PLC0415
    from econweb.search_index.titles.source_names import source_name  # noqa: PLC0415
    from econweb.serving.tag_source import request_tags  # noqa: PLC0415
    from econweb.watching.digests import Digests  # noqa: PLC0415
    from econweb.watching.queue import forget_texts  # noqa: PLC0415
    from econweb.watching.watcher import SERVE, Watcher, may_watch  # noqa: PLC0415

    # The process that has the lease sends all requests in the background, which share one part of the rate limit.
    lease = ReaderLease()
    if may_read():
        yield "reader", Reader(request_tags, lease).step
    if settings.WATCH == SERVE and may_watch():
        yield "watcher", Watcher(lease.hold).step
    if may_write():
        yield "titles", write_fetched
    if settings.ECON_MAY_STORE:
        yield "similarities", follow_index
    else:
        yield "fingerprints", forget_texts
    yield "sweeper", sweep
    if settings.MAIL_SERVER:
        yield "mails", Digests(source_name).step


def _repeat(step: Callable[[], float]) -> None:
    pause, wait = START_SECONDS, 0.0
    while True:
        time.sleep(pause)
        pause, wait = run_step(step, wait)


def run_step(step: Callable[[], float], wait: float) -> tuple[float, float]:
    """Return the seconds until the next step, and the last wait after a failure, which is 0 without one."""
    from django.db import InternalError, OperationalError, connection  # noqa: PLC0415  only now are there settings

    from econweb.serving.monitoring.site_state import note_step  # noqa: PLC0415

    thread = current_thread().name
    try:
        pause, wait = step(), 0.0
        note_step(thread, has_failed=False)
    except Exception as error:  # whatever it is, users do not see it
        note_step(thread, has_failed=True)
        if not wait:
            # A database that is away, or that only lets itself be read, needs no trace.
            has_trace, failure = not isinstance(error, (OperationalError, InternalError)), type(error).__name__
            log.error(
                "a background thread failed, and tries again later", thread=thread, failure=failure, exc_info=has_trace
            )
        pause = wait = min(max(MIN_WAIT, 2 * wait), MAX_WAIT)
    if pause >= MAX_OPEN_SECONDS or wait:
        connection.close()
    return pause, wait
