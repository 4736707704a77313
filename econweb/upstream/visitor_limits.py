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
# More requests get Busy. A server with more threads than this has some left for other pages.
MAX_IN_LINE = 2 * MAX_CONNECTIONS
# One visitor always leaves some places free, and some connections while other visitors send requests as well.
MAX_OF_ONLY_VISITOR = MAX_IN_LINE - 2
MAX_OF_ONE_VISITOR = MAX_CONNECTIONS - 2
# How long the stricter limit holds after a request of another visitor.
COMPETITION_SECONDS = 10.0


class WaitingLine:
    """Count the places that each visitor holds."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._lock = Lock()
        self._last = ""
        self._competition_ends = 0.0

    def is_empty(self) -> bool:
        return not self._held.total()

    @contextmanager
    def hold_place(self) -> Iterator[bool]:
        """Hold a place for the block; the value is whether the same visitor holds another one."""
        name = visitor.get()
        with self._lock:
            held, limit = self._held[name], self._limit_of(name)
            if self._held.total() >= MAX_IN_LINE or held >= limit:
                raise Busy("This site has too many open requests to the data provider.", 2.0)
            self._held[name] += 1
        try:
            yield bool(name and held)
        finally:
            with self._lock:
                self._held[name] -= 1
                if not self._held[name]:
                    # An entry for each visitor of the past would take memory.
                    del self._held[name]

    def _limit_of(self, name: str) -> int:
        if not name:
            return MAX_IN_LINE
        now = time.monotonic()
        if self._last not in {"", name}:
            self._competition_ends = now + COMPETITION_SECONDS
        self._last = name
        return MAX_OF_ONE_VISITOR if now < self._competition_ends else MAX_OF_ONLY_VISITOR
