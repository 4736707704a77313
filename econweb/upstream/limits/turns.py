"""The order of requests that wait in this process: the visitor with the fewest recent turns comes first."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock

from cachetools import LRUCache

from econweb.upstream import clock
from econweb.upstream.limits.competition import Competition

# After this many seconds a turn counts half.
HALF_LIFE = 30.0
# Visitors whose turns are remembered.
MAX_VISITORS = 1000
# With more recent turns, a visitor leaves half of a burst to others, for this long after a request of theirs.
MANY_TURNS = 10.0
COMPETITION_SECONDS = 60.0


class Turns:
    """One request at a time has the turn; equals get theirs in the order in which they came."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        # The waiting requests of each visitor, oldest first.
        self._waiting: dict[str, deque[Event]] = {}
        # The turns of each visitor, of which older ones count less, and when they were counted.
        self._had: LRUCache[str, tuple[float, float]] = LRUCache(MAX_VISITORS)
        self._competition = Competition(COMPETITION_SECONDS)

    def count_ahead(self, visitor: str) -> int:
        """Return how many requests would be sent before a new one of this visitor."""
        with self._lock:
            now, own = clock.steady(), len(self._waiting.get(visitor, ()))
            mine = self._turns_of(visitor, now) + own
            ahead = own + self._is_taken
            for other, queue in self._waiting.items():
                if other != visitor:
                    ahead += min(len(queue), max(0, int(mine - self._turns_of(other, now) + 1)))
            return ahead

    def is_greedy(self, visitor: str) -> bool:
        """Return whether the visitor had many recent turns, while others sent requests as well."""
        with self._lock:
            return self._competition.is_on() and self._turns_of(visitor, clock.steady()) > MANY_TURNS

    @contextmanager
    def take(self, visitor: str, patience: float) -> Iterator[bool]:
        """Hold the turn for the block; the value is whether it came in time."""
        ticket = Event()
        with self._lock:
            if self._is_taken:
                self._waiting.setdefault(visitor, deque()).append(ticket)
            else:
                self._give_to(visitor, ticket)
        has_turn = ticket.wait(patience) or not self._give_up(visitor, ticket)
        try:
            yield has_turn
        finally:
            if has_turn:
                self._pass_on()

    def _give_to(self, visitor: str, ticket: Event) -> None:
        self._competition.note(visitor)
        self._is_taken = True
        self._count(visitor, 1)
        ticket.set()

    def give_back(self, visitor: str) -> None:
        """Count one turn less: it was not used."""
        with self._lock:
            self._count(visitor, -1)

    def _give_up(self, visitor: str, ticket: Event) -> bool:
        """Leave the queue; False if the turn came in the meantime."""
        with self._lock:
            if ticket.is_set():
                return False
            self._leave(visitor, ticket)
            return True

    def _pass_on(self) -> None:
        with self._lock:
            self._is_taken = False
            if self._waiting:
                # One moment for all: a pause between two readings of the clock would favour the later one.
                now = clock.steady()
                visitor = min(self._waiting, key=lambda one: self._turns_of(one, now))
                ticket = self._waiting[visitor][0]
                self._leave(visitor, ticket)
                self._give_to(visitor, ticket)

    def _leave(self, visitor: str, ticket: Event) -> None:
        self._waiting[visitor].remove(ticket)
        if not self._waiting[visitor]:
            del self._waiting[visitor]

    def _count(self, visitor: str, turns: int) -> None:
        now = clock.steady()
        self._had[visitor] = (self._turns_of(visitor, now) + turns, now)

    def _turns_of(self, visitor: str, now: float) -> float:
        turns, moment = self._had.get(visitor, (0.0, 0.0))
        return turns * 0.5 ** ((now - moment) / HALF_LIFE) if turns else 0.0
