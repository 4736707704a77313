"""Failures in the store: one for seconds, which requests share, and one for an hour, which lists read."""

from django.core.cache import caches

from econweb.upstream.cache.recent_failures import RecentFailures
from econweb.upstream.cache.series_failures import SeriesFailures
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import NotFound
from econweb.upstream.records import SeriesFailure


def test_failures_of_lists_and_of_requests_are_kept_apart() -> None:
    store = Store(caches["default"], None)
    recent, of_lists = RecentFailures(store), SeriesFailures(store)
    recent.put("x", NotFound("The series does not exist."))
    of_lists.remember("x", SeriesFailure("It does not exist."))
    recent.put("x", NotFound("The series does not exist."))

    assert isinstance(recent.get("x"), NotFound)
    assert of_lists.get("x") == SeriesFailure("It does not exist.")
