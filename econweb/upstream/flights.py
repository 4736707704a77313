"""Together: of many threads that want the same thing now, one goes and the others take what it brings."""

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
from econweb.upstream.errors import NOT_ASKED, NOT_IN_TIME, Unavailable, UpstreamError

Brought = TypeVar("Brought")
# So few are sent at once that some connections are left to readers who have nothing yet.
MOST_SENT = 3
log = structlog.get_logger("econweb.upstream")


class _Flight(Generic[Brought]):
    def __init__(self) -> None:
        self.landed = Event()
        self.brought: Brought | None = None
        self.failure: UpstreamError | None = None


class Flights(Generic[Brought]):
    """One flight a name at a time."""

    def __init__(self) -> None:
        self._under_way: dict[str, _Flight[Brought]] = {}
        self._lock = Lock()
        self._free = BoundedSemaphore(MOST_SENT)

    def under_way(self, name: str) -> bool:
        return name in self._under_way

    def take(self, name: str, deadline: Deadline, fetch: Callable[[], Brought]) -> Brought:
        flight, leads = self._joined(name)
        if leads:
            return self._led(name, flight, fetch)
        metrics.COALESCED.inc()
        if not flight.landed.wait(deadline.left()):
            raise Unavailable(NOT_IN_TIME)
        return _brought_by(flight)

    def send(self, name: str, seconds: float, fetch: Callable[[], Brought]) -> Brought | None:
        """A thread of its own goes; None when it is not back within so many seconds, or none can go."""
        if not self._free.acquire(blocking=False):
            return None
        flight, leads = self._joined(name)
        if not leads:
            self._free.release()
            return None
        # It takes the id of the request along, and a process that ends does not wait for it.
        sent = Thread(target=copy_context().run, args=(self._sent, name, flight, fetch), daemon=True)
        try:
            sent.start()
        except RuntimeError:
            self._free.release()
            self._land(name, flight)
            return None
        return _brought_by(flight) if flight.landed.wait(seconds) else None

    def _joined(self, name: str) -> tuple[_Flight[Brought], bool]:
        """The flight, and whether the caller leads it."""
        with self._lock:
            flight = self._under_way.get(name)
            if flight is not None:
                return flight, False
            flight = self._under_way[name] = _Flight()
            return flight, True

    def _sent(self, name: str, flight: _Flight[Brought], fetch: Callable[[], Brought]) -> None:
        try:
            # Who wants the thing finds the failure in the flight.
            with suppress(UpstreamError):
                self._led(name, flight, partial(self._as_the_last, fetch))
        except Exception:  # nobody else would hear of it
            log.exception("a renewal broke")

    def _as_the_last(self, fetch: Callable[[], Brought]) -> Brought:
        try:
            return fetch()
        finally:
            # The embedded service has opened one for this thread, which ends now.
            connections.close_all()
            self._free.release()

    def _led(self, name: str, flight: _Flight[Brought], fetch: Callable[[], Brought]) -> Brought:
        try:
            flight.brought = fetch()
        except UpstreamError as error:
            flight.failure = error
            raise
        finally:
            self._land(name, flight)
        return flight.brought

    def _land(self, name: str, flight: _Flight[Brought]) -> None:
        with self._lock:
            del self._under_way[name]
        flight.landed.set()


def _brought_by(flight: _Flight[Brought]) -> Brought:
    if flight.failure is not None:
        # A traceback belongs to one thread.
        raise _copy(flight.failure)
    if flight.brought is None:
        raise Unavailable(NOT_ASKED)
    return flight.brought


def _copy(error: UpstreamError) -> UpstreamError:
    twin = type(error).__new__(type(error), *error.args)
    twin.__dict__.update(error.__dict__)
    return twin
