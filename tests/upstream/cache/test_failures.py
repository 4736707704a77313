"""Failures in the store: one for seconds, which requests share, and one for an hour, which lists read."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone

from econweb.upstream.cache.recent_failures import RecentFailures
from econweb.upstream.cache.series_failures import SeriesFailures
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import (
    BadReply,
    Busy,
    NotFound,
    NotInPeriod,
    Refused,
    Unavailable,
    UpstreamError,
    WrongValue,
)
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesFailure
from tests.upstream.client_calls import a_store
from tests.upstream.conftest import Clock


def test_failures_of_lists_and_of_requests_are_kept_apart() -> None:
    store = Store(caches["default"], None)
    recent, of_lists = RecentFailures(store), SeriesFailures(store)
    recent.put("x", NotFound("The series does not exist."))
    of_lists.remember("x", SeriesFailure("It does not exist.", is_temporary=False))
    recent.put("x", NotFound("The series does not exist."))

    assert isinstance(recent.get("x"), NotFound)
    assert of_lists.get("x") == SeriesFailure("It does not exist.", is_temporary=False)


@pytest.mark.parametrize(
    "error",
    [
        Busy("full", 30.0),
        NotInPeriod("no", is_explicit=True),
        Refused("no", is_about_key=True),
        Unavailable("down", is_retryable=True),
        WrongValue("no", "series_id"),
    ],
)
def test_recent_failure_keeps_all_that_the_error_says(frozen_clock: Clock, error: UpstreamError) -> None:
    recent = RecentFailures(Store(caches["default"], None))
    recent.put("x", error)
    found = recent.get("x")

    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (NotFound("no"), 10.0),
        (NotInPeriod("no"), 10.0),
        (Refused("no"), 10.0),
        (WrongValue("no", "limit"), 10.0),
        (BadReply("no"), 5.0),
        (Unavailable("no"), 2.0),
        (Busy("no", 1.0), 1.0),
    ],
    ids=lambda value: type(value).__name__,
)
def test_recent_failure_ends_at_its_time(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch, error: UpstreamError, seconds: float
) -> None:
    """The store may hold it longer: a shared cache has a clock of its own."""
    store = a_store()
    put: Callable[..., bool] = store.put
    monkeypatch.setattr(store, "put", lambda name, value, kept: put(name, value, 2 * kept))
    recent, found = RecentFailures(store), []
    recent.put("x", error)
    for pause in (-0.5, 0.5, seconds - 0.25, 0.25, 0.5):
        frozen_clock.moment += pause
        found.append(type(recent.get("x")))

    assert found == [type(None), type(error), type(error), type(None), type(None)]


@pytest.mark.parametrize(
    ("days", "is_refused"), [(None, False), (-32, False), (-31, True), (-1, True), (0, True), (1, False)]
)
def test_refusal_of_late_speaks_for_the_past(days: int | None, is_refused: bool) -> None:
    failures, today = SeriesFailures(a_store()), timezone.localdate()
    end = None if days is None else today + timedelta(days=days)
    failures.remember_past("x", SeriesQuery("GNPCA", realtime_end=end), is_there=False)
    assert failures.is_past_refused("x") == is_refused
    yesterday = SeriesQuery("GNPCA", realtime_end=today - timedelta(days=1))
    for is_there in (True, False):
        failures.remember_past("x", yesterday, is_there)
        assert not failures.is_past_refused("x")


@pytest.mark.parametrize("days", [None, 0])
def test_answer_for_today_says_nothing_of_the_past(days: int | None) -> None:
    failures, today = SeriesFailures(a_store()), timezone.localdate()
    failures.remember_past("x", SeriesQuery("GNPCA", realtime_end=today), is_there=False)
    failures.remember_past("x", SeriesQuery("GNPCA", realtime_end=None if days is None else today), is_there=True)

    assert failures.is_past_refused("x")
