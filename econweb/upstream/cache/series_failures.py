"""Failures of a series that lists and links of pages know of later, in the store."""

from datetime import timedelta

import msgspec
from django.utils import timezone

from econweb.upstream.cache.store import Store
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import NO_FAILURE, SeriesFailure

# Loading a list of series takes minutes, longer than recent_failures.py remembers a failure.
MISSING_SECONDS = 3600.0
# The days before today for which a refusal says that a pin of today would fail as well.
LATELY = timedelta(days=31)
# How the service answered the last request for a past day of a series.
_FOUND, _REFUSED = b"found", b"refused"


class SeriesFailures:
    """Failures in the store, by the cache key of the answer that failed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def remember(self, key: str, failure: SeriesFailure, seconds: float = MISSING_SECONDS) -> None:
        """Store why a series cannot be loaded, so that no list requests it again."""
        self._store.put(f"{key}.missing", msgspec.msgpack.encode(failure), seconds)

    def get(self, key: str) -> SeriesFailure:
        """Return the stored failure, or one without a message."""
        return self._store.get_record(f"{key}.missing", SeriesFailure) or NO_FAILURE

    def remember_past(self, key: str, query: SeriesQuery, is_there: bool) -> None:
        """Remember how the service answered for a past day: one day found outweighs all refused ones.

        A refused day of long ago says nothing about today: the series may have begun since.
        """
        end, today = query.realtime_end, timezone.localdate()
        if is_there and end and end < today:
            self._store.put(f"{key}.past", _FOUND, MISSING_SECONDS)
        elif not is_there and end and today - LATELY <= end <= today and self._store.get(f"{key}.past") != _FOUND:
            self._store.put(f"{key}.past", _REFUSED, MISSING_SECONDS)

    def is_past_refused(self, key: str) -> bool:
        """Return True if the service recently refused a past period of the series, and answered for none."""
        return self._store.get(f"{key}.past") == _REFUSED
