"""Single flight: of all threads that want the same answer at once, one fetches it and the others get its result."""

from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import Generic, TypeVar

import structlog
from django.db import connections

from econweb.upstream import metrics
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_ASKED, NOT_IN_TIME, Unavailable, UpstreamError, make_error

Result = TypeVar("Result")
# Background refreshes leave connections to readers who have no answer yet.
MAX_BACKGROUND = 3
log = structlog.get_logger("econweb.upstream")


class _Call(Generic[Result]):
    def __init__(self) -> None:
        self.is_done = Event()
        self.result: Result | None = None
        self.error: UpstreamError | None = None


class SingleFlight(Generic[Result]):
    """Run one call for each key at a time."""

    def __init__(self) -> None:
        self._running: dict[str, _Call[Result]] = {}
        self._lock = Lock()
        self._background_slots = BoundedSemaphore(MAX_BACKGROUND)

    def is_running(self, key: str) -> bool:
        return key in self._running

    def run_or_join(self, key: str, deadline: Deadline, fetch: Callable[[], Result]) -> Result:
        call, is_leader = self._claim(key)
        if is_leader:
            return self._run(key, call, fetch)
        metrics.COALESCED.inc()
        if not call.is_done.wait(deadline.remaining()):
            raise Unavailable(NOT_IN_TIME)
        return _result_of(call)

    def run_in_background(self, key: str, seconds: float, fetch: Callable[[], Result]) -> Result | None:
        """Run in a new thread; return None if it takes longer than `seconds`, or cannot start."""
        if not self._background_slots.acquire(blocking=False):
            return None
        call, is_leader = self._claim(key)
        if not is_leader:
            self._background_slots.release()
            return None
        # The context carries the request id; a daemon thread does not delay the end of the process.
        thread = Thread(target=copy_context().run, args=(self._thread_main, key, call, fetch), daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._background_slots.release()
            self._finish(key, call)
            return None
        return _result_of(call) if call.is_done.wait(seconds) else None

    def _claim(self, key: str) -> tuple[_Call[Result], bool]:
        """Return the call, and whether the caller has to run it."""
        with self._lock:
            call = self._running.get(key)
            if call is not None:
                return call, False
            call = self._running[key] = _Call()
            return call, True

    def _thread_main(self, key: str, call: _Call[Result], fetch: Callable[[], Result]) -> None:
        try:
            # Callers find the error in the call.
            with suppress(UpstreamError):
                self._run(key, call, partial(self._release_after, fetch))
        except Exception:  # no caller would see it
            log.exception("unexpected exception in a background refresh")

    def _release_after(self, fetch: Callable[[], Result]) -> Result:
        try:
            return fetch()
        finally:
            # The embedded service opened database connections for this thread, which ends now.
            connections.close_all()
            self._background_slots.release()

    def _run(self, key: str, call: _Call[Result], fetch: Callable[[], Result]) -> Result:
        try:
            call.result = fetch()
        except UpstreamError as error:
            call.error = error
            raise
        finally:
            self._finish(key, call)
        return call.result

    def _finish(self, key: str, call: _Call[Result]) -> None:
        with self._lock:
            del self._running[key]
        call.is_done.set()


def _result_of(call: _Call[Result]) -> Result:
    if call.error is not None:
        # Each thread raises its own.
        raise make_error(type(call.error), str(call.error), vars(call.error))
    if call.result is None:
        raise Unavailable(NOT_ASKED)
    return call.result
