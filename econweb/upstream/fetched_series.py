"""The series that the service sent recently, until the index of titles takes them."""

from threading import Lock

from msgspec.structs import replace

from econweb.upstream.records import Series

# More are dropped: they come again when somebody opens them.
MAX_WAITING = 5000


class FetchedSeries:
    def __init__(self) -> None:
        self._waiting: dict[str, Series] = {}
        self._lock = Lock()

    def add(self, series: Series) -> None:
        """Note a series without its notes, which may have any length."""
        with self._lock:
            if len(self._waiting) < MAX_WAITING:
                self._waiting[series.id] = replace(series, notes=None)

    def take(self) -> list[Series]:
        """Return the series that were added since the last call."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
        return list(taken.values())
