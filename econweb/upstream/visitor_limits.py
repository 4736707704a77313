"""Limits on the requests to the service that wait or run in this process, for each visitor of this site and in all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from econweb.upstream.errors import TOO_MANY_OPEN, Busy
from econweb.upstream.limits.competition import Competition
from econweb.upstream.transport.network import MAX_CONNECTIONS

# The person or the network address of the visitor; empty outside of a request, for example in a command.
visitor: ContextVar[str] = ContextVar("visitor", default="")
# Requests that run or wait for a connection; more get Busy. A server with more threads has some left for other pages.
MAX_OPEN_REQUESTS = 2 * MAX_CONNECTIONS
# One visitor always leaves some slots free, and some connections while other visitors send requests as well.
MAX_OF_LONE_VISITOR = MAX_OPEN_REQUESTS - 2
MAX_BESIDE_OTHERS = MAX_CONNECTIONS - 2
# How long the stricter limit holds after a request of another visitor.
COMPETITION_SECONDS = 10.0


class ClientSlots:
    """Slots for work at the same time, counted by client."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()
        self._lock = Lock()

    def is_empty(self) -> bool:
        return not self._held.total()

    def add(self, client: str, limit: int) -> bool:
        """Take a slot; False if none is free, or if the client has as many as its limit."""
        with self._lock:
            if self._held.total() >= self._most or self._held[client] >= limit:
                return False
            self._held[client] += 1
            return True

    def remove(self, client: str) -> None:
        with self._lock:
            self._held[client] -= 1
            if not self._held[client]:
                # An entry for each client of the past would take memory.
                del self._held[client]


class VisitorSlots(ClientSlots):
    """Slots for open requests to the service."""

    def __init__(self) -> None:
        super().__init__(MAX_OPEN_REQUESTS)
        self._competition = Competition(COMPETITION_SECONDS)

    @contextmanager
    def hold_slot(self) -> Iterator[None]:
        name = visitor.get()
        if not self.add(name, self._limit_of(name)):
            raise Busy(TOO_MANY_OPEN, 2.0)
        try:
            yield
        finally:
            self.remove(name)

    def _limit_of(self, name: str) -> int:
        if not name:
            return MAX_OPEN_REQUESTS
        with self._lock:
            self._competition.note(name)
            return MAX_BESIDE_OTHERS if self._competition.is_on() else MAX_OF_LONE_VISITOR
