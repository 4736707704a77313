"""Decoded answers of this process beside their bytes in the cache; bounded by what they hold."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
# Tags and series: about 20 MiB, and twice as much for the rows and frames that are kept beside them.
MOST_RECORDS = 40_000


class Memory(Generic[Thing]):
    """The least recently used goes first; a stamp tells whether a shared cache has a younger one.

    The newest of the large ones stays as well: the cache may have no room for it, and then each reader would
    have it fetched again.
    """

    def __init__(self, most_records: int = MOST_RECORDS) -> None:
        self._most = most_records
        self._things: OrderedDict[str, tuple[float, Thing, int]] = OrderedDict()
        self._records = 0
        self._lock = Lock()

    def get(self, name: str) -> tuple[float, Thing] | None:
        """When it was fetched, and what it is."""
        with self._lock:
            if name not in self._things:
                return None
            self._things.move_to_end(name)
            fetched, thing, _ = self._things[name]
        return fetched, thing

    def put(self, name: str, fetched: float, thing: Thing, records: int) -> None:
        with self._lock:
            self._put(name, fetched, thing, records)

    def put_decoded(
        self, name: str, seen: tuple[float, Thing] | None, fetched: float, thing: Thing, records: int
    ) -> tuple[float, Thing]:
        """What is held then: since `seen` was held, others may have put something or dropped it."""
        with self._lock:
            held = self._things.get(name)
            if held and not (seen and held[1] is seen[1]) and held[0] >= fetched:
                return held[0], held[1]
            if held or not seen:
                self._put(name, fetched, thing, records)
        return fetched, thing

    def drop(self, name: str) -> None:
        with self._lock:
            self._let_go(name)

    def _put(self, name: str, fetched: float, thing: Thing, records: int) -> None:
        self._let_go(name)
        if records > self._most // 2:
            for large in [one for one, (_, _, counted) in self._things.items() if not counted]:
                self._let_go(large)
            # Bounded by being the only one; if it counted, it would push out all others.
            records = 0
        self._things[name] = (fetched, thing, records)
        self._records += records
        while self._records > self._most:
            _, (_, _, fewer) = self._things.popitem(last=False)
            self._records -= fewer

    def _let_go(self, name: str) -> None:
        if name in self._things:
            self._records -= self._things.pop(name)[2]
