"""Decoded answers of this process, bounded by their number of records."""

from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")
# Tags and series: about 20 MiB, and twice as much for the HTML that dashboard/tags/view_cache.py makes of them.
MAX_RECORDS = 40_000


class Entry(NamedTuple, Generic[Value]):
    """A decoded answer, when it was fetched, and the number of records that it counts as."""

    fetched: float
    value: Value
    records: int


class DecodedCache(Generic[Value]):
    """Evicts the least recently used answers; `fetched` shows whether a shared cache has a younger one.

    The newest of the large answers evicts no other one. It may be too large for the store, and then each request
    would fetch it again.
    """

    def __init__(self, max_records: int = MAX_RECORDS) -> None:
        self._answers: LRUCache[str, Entry[Value]] = LRUCache(max_records, getsizeof=lambda entry: entry.records)
        # The newest answer of more than half of the bound. Its size counts as 0, so it evicts no other answer.
        self._large_key = ""
        self._lock = Lock()

    def get(self, key: str) -> Entry[Value] | None:
        with self._lock:
            return self._answers.get(key)

    def put(self, key: str, entry: Entry[Value]) -> None:
        with self._lock:
            self._put(key, entry)

    def put_decoded(self, key: str, seen: Entry[Value] | None, entry: Entry[Value]) -> Entry[Value]:
        """Cache an answer decoded from the store, unless another thread changed the entry since `seen`.

        Return the entry that is cached then.
        """
        with self._lock:
            cached = self._answers.get(key)
            if cached and not (seen and cached.value is seen.value) and cached.fetched >= entry.fetched:
                return cached
            if cached or not seen:
                self._put(key, entry)
        return entry

    def entries(self) -> list[Entry[Value]]:
        with self._lock:
            return list(self._answers.values())

    def drop(self, key: str) -> None:
        with self._lock:
            self._answers.pop(key, None)

    def _put(self, key: str, entry: Entry[Value]) -> None:
        if entry.records > self._answers.maxsize // 2:
            if self._large_key != key:
                self._answers.pop(self._large_key, None)
            self._large_key, entry = key, entry._replace(records=0)
        elif self._large_key == key:
            self._large_key = ""
        self._answers[key] = entry
