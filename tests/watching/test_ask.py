"""Looks through the client: the service is asked, and what is not complete does not count."""

from typing import Any

import pytest
from pytest_django import Settings

from econweb.upstream import clock, service
from econweb.upstream.errors import (
    NOT_IN_PERIOD,
    BadReply,
    Busy,
    NotFound,
    NotInPeriod,
    Refused,
    Unavailable,
    UpstreamError,
)
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.watching.ask import AskedElsewhere, ask_service
from econweb.watching.facts import ABSENT
from econweb.watching.models import PRESENCE
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = pytest.mark.django_db
GDP = {
    "id": "GDP",
    "realtime_start": "2026-01-01",
    "realtime_end": "2026-01-01",
    "title": "Gross domestic product",
    "observation_start": "1947-01-01",
    "observation_end": "2025-10-01",
    "frequency": "Quarterly",
    "frequency_short": "Q",
    "units": "Billions",
    "units_short": "Bil.",
    "seasonal_adjustment": "Adjusted",
    "seasonal_adjustment_short": "SA",
    "last_updated": "2026-01-01 08:00:00-05",
    "popularity": 90,
    "notes": "Of the whole country.",
}


@pytest.fixture(autouse=True)
def elsewhere(settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://data.example.org", True
    settings.ECON_FRESH_SECONDS = 86_400.0


def test_look_reads_series_and_tags(stand_in: FakeService) -> None:
    stand_in.seriess["GDP"] = [GDP]
    stand_in.has("category", 125, tags_of(1500))

    assert ask_service("series", "GDP").facts["", "", "title"] == "Gross domestic product"
    found = ask_service("category", "125").facts
    assert sum(field == PRESENCE for _, _, field in found) == 1501
    assert found["tag 0001", "gen", "notes"] == ""


def test_look_asks_the_service_whatever_is_cached(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.seriess["GDP"] = [GDP]
    stand_in.has("category", 125, [a_tag()])
    service.series(SeriesQuery("GDP"))
    service.tags("category", 125, TagQuery())
    stand_in.seriess["GDP"], stand_in.tags["category", "125"] = [GDP | {"title": "New"}], [a_tag("new")]
    # An answer that came a moment ago is as good as a new one.
    assert ask_service("series", "GDP").facts["", "", "title"] == "Gross domestic product"
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 1000)

    assert ask_service("series", "GDP").facts["", "", "title"] == "New"
    assert ("new", "geo", PRESENCE) in ask_service("category", "125").facts


@pytest.mark.parametrize("age", [1_000, 100_000])
@pytest.mark.parametrize(
    "error", [Unavailable("down"), BadReply("odd"), Refused("no", is_about_key=True), Busy("x", 9)]
)
def test_old_answer_is_no_look_and_hides_no_failure(
    stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, settings: Settings, error: UpstreamError, age: int
) -> None:
    settings.ECON_STALE_SECONDS = 200_000.0
    stand_in.seriess["GDP"] = [GDP]
    stand_in.has("category", 125, [a_tag()])
    service.series(SeriesQuery("GDP"))
    service.tags("category", 125, TagQuery())
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + age)
    stand_in.error = error

    for kind, key in (("series", "GDP"), ("category", "125")):
        with pytest.raises(type(error), match=str(error)):
            ask_service(kind, key)


def test_look_waits_for_another_process_that_asks(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.seriess["GDP"] = [GDP]
    service.series(SeriesQuery("GDP"))
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 1000)
    monkeypatch.setattr(service.upstream().series_replies, "_may_renew", lambda *_: False)

    with pytest.raises(AskedElsewhere):
        ask_service("series", "GDP")


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (NotFound("The series does not exist.", is_explicit=True), None),
        (NotInPeriod(NOT_IN_PERIOD, is_explicit=True), None),
        (NotFound("no such page"), NotFound),
        (Unavailable("down"), Unavailable),
    ],
)
def test_source_is_absent_only_where_the_service_says_so(
    stand_in: FakeService, error: UpstreamError, raised: type[UpstreamError] | None
) -> None:
    stand_in.error = error
    if raised:
        with pytest.raises(raised):
            ask_service("series", "GDP")
    else:
        assert ask_service("series", "GDP").facts == ABSENT


def test_tags_that_are_not_complete_do_not_count(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.has("category", 125, [a_tag("a"), a_tag("b")])
    records = stand_in._records

    def short(endpoint: str, parameters: dict[str, str]) -> dict[str, Any]:
        return {"count": 50, **records(endpoint, parameters)}

    monkeypatch.setattr(stand_in, "_records", short)
    with pytest.raises(BadReply):
        ask_service("category", "125")


def test_series_whose_last_record_has_ended_is_absent(stand_in: FakeService) -> None:
    """The service knows the id, and has no record of today: it sends an empty list."""
    stand_in.seriess["GDP"] = []

    assert ask_service("series", "GDP").facts == ABSENT
