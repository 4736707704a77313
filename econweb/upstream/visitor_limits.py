"""Limits on the requests to the service that wait or run in this process, for each visitor of this site and in all."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from econweb.upstream.errors import Busy
from econweb.upstream.transport.network import MAX_CONNECTIONS

# The visitor's network address; empty outside of a request, for example in a command.
visitor: ContextVar[str] = ContextVar("visitor", default="")
# Whether the request is one that no user waits for.
in_background: ContextVar[bool] = ContextVar("in_background", default=False)
# Requests that run or wait for a connection; more get Busy. A server with more threads has some left for other pages.
MAX_OPEN_REQUESTS = 2 * MAX_CONNECTIONS
# One visitor always leaves some slots free, and some connections while other visitors send requests as well.
MAX_OF_LONE_VISITOR = MAX_OPEN_REQUESTS - 2
MAX_BESIDE_OTHERS = MAX_CONNECTIONS - 2
# How long the stricter limit holds after a request of another visitor.
COMPETITION_SECONDS = 10.0


class VisitorSlots:
    """Slots for open requests to the service, counted by visitor."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._lock = Lock()
        self._last = ""
        self._competition_ends = 0.0

    def is_empty(self) -> bool:
        return not self._held.total()

    @contextmanager
    def hold_slot(self) -> Iterator[None]:
        address = visitor.get()
        with self._lock:
            held, limit = self._held[address], self._limit_of(address)
            if self._held.total() >= MAX_OPEN_REQUESTS or held >= limit:
                raise Busy("This site has too many open requests to the data provider.", 2.0)
            self._held[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._held[address] -= 1
                if not self._held[address]:
                    # An entry for each visitor of the past would take memory.
                    del self._held[address]

    def _limit_of(self, address: str) -> int:
        if not address:
            return MAX_OPEN_REQUESTS
        now = time.monotonic()
        if self._last not in {"", address}:
            self._competition_ends = now + COMPETITION_SECONDS
        self._last = address
        return MAX_BESIDE_OTHERS if now < self._competition_ends else MAX_OF_LONE_VISITOR
