"""Together: of many threads that want the same thing now, one goes and the others take what it brings."""

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic, TypeVar

from econweb.upstream import metrics
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_ASKED, NOT_IN_TIME, Unavailable, UpstreamError

Brought = TypeVar("Brought")


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

    def under_way(self, name: str) -> bool:
        return name in self._under_way

    def take(self, name: str, deadline: Deadline, fetch: Callable[[], Brought]) -> Brought:
        with self._lock:
            flight = self._under_way.get(name)
            leads = flight is None
            if flight is None:
                flight = self._under_way[name] = _Flight()
        if leads:
            return self._led(name, flight, fetch)
        metrics.COALESCED.inc()
        return _awaited(flight, deadline)

    def _led(self, name: str, flight: _Flight[Brought], fetch: Callable[[], Brought]) -> Brought:
        try:
            flight.brought = fetch()
        except UpstreamError as error:
            flight.failure = error
            raise
        finally:
            with self._lock:
                del self._under_way[name]
            flight.landed.set()
        return flight.brought


def _awaited(flight: _Flight[Brought], deadline: Deadline) -> Brought:
    if not flight.landed.wait(deadline.left()):
        raise Unavailable(NOT_IN_TIME)
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
