"""The series that the service sent: the newest of each, and the recent ones until the index of titles takes them."""

from collections.abc import Iterable
from datetime import date
from threading import Lock

from msgspec.structs import replace

from econweb.upstream.cache.decoded import Entry
from econweb.upstream.records import Series, SeriesReply

# More are dropped: they come again when somebody opens them.
MAX_WAITING = 5000
# Of the wall clock.
_FIRST_DAY, _DAY_SECONDS = date(1970, 1, 1).toordinal(), 86_400.0


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


def newest_by_id(answers: Iterable[Entry[SeriesReply]]) -> dict[str, Series]:
    """Return the newest version of each series. Of replies about the same day, the one fetched last counts."""
    by_age = sorted(answers, key=_known_until)
    return {series.id: series for answer in by_age for series in answer.value.seriess[-1:]}


def _known_until(answer: Entry[SeriesReply]) -> tuple[float, float]:
    """Return the moment up to which a reply knows its series, in UTC, and when it was fetched.

    A reply with all versions ends in the year 9999, and knows no more than the others of its day.
    """
    days = answer.value.realtime_end.toordinal() - _FIRST_DAY + 1
    return min(days * _DAY_SECONDS, answer.fetched), answer.fetched
