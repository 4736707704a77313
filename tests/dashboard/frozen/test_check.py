"""The check of a frozen copy: the service is asked again, for the same period."""

import re
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from econweb.library.models import Body, FrozenCopy
from econweb.upstream import clock, service
from econweb.upstream.errors import NOT_IN_PERIOD, NotInPeriod, Unavailable
from tests.builders import a_series
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.fake_service import FakeService, a_tag, tags_of

__all__ = ["view"]
pytestmark = pytest.mark.django_db


class Clock:
    moment = 1_800_000_000.0


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Clock:
    day = Clock()
    monkeypatch.setattr(clock, "now", lambda: day.moment)
    return day


def test_check_asks_the_service_and_says_the_same_or_lists_what_differs(
    client: Client, stand_in: FakeService, day: Clock
) -> None:
    stand_in.has("category", 125, [a_tag("usa", series_count=9), a_tag("gone"), a_tag("near", series_count=100)])
    path = freeze(client, VIEW).partition("?")[0]
    same = client.get(f"{path}check").text
    assert "<title>Check of Tags of trade · econweb</title>" in same
    changed = [a_tag("usa", series_count=8, notes="Other"), a_tag("new one"), a_tag("near", series_count=101)]
    stand_in.has("category", 125, changed)
    # Answers are renewed at most once a minute.
    day.moment += 61
    page = client.get(f"{path}check").text
    assert "<h1>The same</h1>" in same
    assert "<h1>Different</h1>" in page
    assert "4 rows differ" in page
    assert re.search(r"Gone \(1\)</h2>\s*<p>\s*<bdi>gone</bdi>", page)
    assert re.search(r"New \(1\)</h2>\s*<p>\s*<bdi>new one</bdi>", page)
    assert "Changed (1)" in page
    assert "Small movements of popularity and counts (1)" in page


def test_check_that_cannot_tell_says_why(client: Client, view: str, stand_in: FakeService, settings: Settings) -> None:
    path = freeze(client, view).partition("?")[0]
    service.upstream.cache_clear()
    cache.clear()
    stand_in.error = Unavailable("The data provider is not available at the moment.")
    broken = client.get(f"{path}check").text
    settings.ECON_BASE_URL = "https://elsewhere.example.org"
    elsewhere = client.get(f"{path}check").text

    assert "<h1>Cannot tell</h1>" in broken
    assert "The data provider is not available" in broken
    assert "This site asks another service now." in elsewhere


def test_check_of_a_list_whose_series_are_gone_does_not_ask_to_wait(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {name: [a_series(id=name) | {"popularity": 39}] for name in ("A", "B")}
    path = freeze(client, "/series/?ids=A,B").partition("?")[0]
    stand_in.seriess = {}
    service.upstream.cache_clear()
    cache.clear()
    page = client.get(f"{path}check").text

    assert "<h1>Different</h1>" in page
    assert re.search(r"Gone \(2\)</h2>\s*<p>\s*<bdi>A</bdi>, <bdi>B</bdi>", page)
    assert "None of these series could be loaded. A: The series does not exist." in page
    assert "still loading" not in page


def test_site_that_stores_nothing_can_still_check(
    client: Client, view: str, stand_in: FakeService, settings: Settings
) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view).partition("?")[0]
    same = client.get(f"{path}check").text
    stand_in.has("category", 125, tags_of(3))
    service.upstream.cache_clear()
    cache.clear()
    other = client.get(f"{path}check").text

    assert "<h1>The same</h1>" in same
    assert "This site has only the digest of the copy" in other


def test_check_of_a_damaged_copy_is_no_comparison(client: Client, view: str) -> None:
    path = freeze(client, view)
    Body.objects.update(packed=b"x")

    answer = client.get(f"{path}check")
    assert answer.status_code == 503
    assert "This frozen copy is damaged" in answer.text


def test_service_that_fails_after_the_copy_cannot_be_compared_with(
    client: Client, view: str, stand_in: FakeService, day: Clock
) -> None:
    path = freeze(client, view)
    client.get(f"{path}check")
    day.moment += 700
    stand_in.error = Unavailable("The data provider is not available at the moment.")

    page = client.get(f"{path}check").text
    assert "<h1>Cannot tell</h1>" in page
    assert "Its last answer is of" in page


def test_check_of_a_list_asks_for_each_of_its_series(client: Client, stand_in: FakeService, day: Clock) -> None:
    for name in ("GNPCA", "UNRATE"):
        stand_in.seriess[name] = [a_series(id=name) | {"popularity": 39}]
    path = freeze(client, "/series/?ids=GNPCA,UNRATE")
    day.moment += 120
    stand_in.seriess["UNRATE"] = [a_series(id="UNRATE", title="Another title") | {"popularity": 39}]

    different = client.get(f"{path}check").text
    day.moment += 120
    stand_in.error = Unavailable("The data provider is not available at the moment.")
    unknown = client.get(f"{path}check").text

    assert "<h1>Different</h1>" in different
    assert "Another title" in different
    assert "<h1>Cannot tell</h1>" in unknown


def test_copy_without_rows_is_checked_and_not_compared(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    path = freeze(client, view).partition("?")[0]

    for page in (path, f"{path}check"):
        assert "Compare with today" not in client.get(page).text
    answer = client.get(f"{path}?against=live", follow=True)
    assert answer.status_code == 404
    assert "choose Check it: that says whether the data provider still sends the same rows" in answer.text


def test_comparison_says_when_each_side_was_sent(client: Client, view: str, day: Clock) -> None:
    path = freeze(client, view).partition("?")[0]
    FrozenCopy.objects.update(fetched=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    page = client.get(f"{path}?against=live", follow=True).text

    assert re.search(r"sent by the data provider at <time>2026-03-01 12:30 UTC</time>", page)
    assert len(re.findall("sent by the data provider at", page)) == 2
    assert re.search(rf'<a href="{path}check"\s+rel="nofollow">Check the copy</a>', page)


def test_check_of_a_list_that_lacks_an_id_lists_what_differs(client: Client, stand_in: FakeService, day: Clock) -> None:
    """It said “Cannot tell”, and the comparison with today listed the new title."""
    for name in ("GDP", "UNRATE"):
        stand_in.seriess[name] = [a_series(id=name) | {"popularity": 39}]
    path = freeze(client, "/series/?ids=GDP,UNRATE,FEDFUND")
    same = client.get(f"{path}check").text
    stand_in.seriess["FEDFUND"] = [a_series(id="FEDFUND") | {"popularity": 39}]
    day.moment += 3700
    found = client.get(f"{path}check").text
    stand_in.seriess["UNRATE"] = [a_series(id="UNRATE", title="Another title") | {"popularity": 39}]
    day.moment += 3700
    different = client.get(f"{path}check").text

    assert "<h1>The same</h1>" in same
    remark = "Not compared, because the copy does not have them: FEDFUND."
    assert "<h1>Cannot tell</h1>" in found
    assert f"What can be compared is the same. {remark}" in found
    assert "<h1>Different</h1>" in different
    assert f"1 row differs from what the data provider sends for the same period. {remark}" in different
    assert "Another title" in different


def test_check_of_a_list_knows_which_series_are_gone(client: Client, stand_in: FakeService, day: Clock) -> None:
    for name in ("GDP", "UNRATE"):
        stand_in.seriess[name] = [a_series(id=name) | {"popularity": 39}]
    path = freeze(client, "/series/?ids=GDP,UNRATE,FEDFUND")
    del stand_in.seriess["UNRATE"]
    day.moment += 120
    page = client.get(f"{path}check").text

    assert "<h1>Different</h1>" in page
    assert re.search(r"Gone \(1\)</h2>\s*<p>\s*<bdi>UNRATE</bdi>", page)
    assert "Not compared" not in page


def test_check_of_a_series_that_is_gone_says_so(client: Client, stand_in: FakeService, day: Clock) -> None:
    stand_in.seriess["GDP"] = [a_series(id="GDP") | {"popularity": 39}]
    path = freeze(client, "/series/GDP/")
    stand_in.seriess = {}
    day.moment += 120
    page = client.get(f"{path}check").text

    assert "<h1>Different</h1>" in page
    assert re.search(r"Gone \(1\)</h2>\s*<p>\s*<bdi>GDP</bdi>", page)
    assert "The series does not exist." in page


def test_check_of_tags_that_are_not_all_there_lists_what_differs(
    client: Client, stand_in: FakeService, day: Clock
) -> None:
    stand_in.has("category", 125, [a_tag("usa", series_count=9), a_tag("gone")])
    path = freeze(client, VIEW)
    FrozenCopy.objects.update(is_complete=False)
    stand_in.has("category", 125, [a_tag("usa", series_count=5)])
    day.moment += 61
    page = client.get(f"{path}check").text

    assert "<h1>Different</h1>" in page
    assert "One of the two is not complete: only rows that both have can be compared." in page
    assert "Gone (" not in page


def test_series_whose_past_is_refused_is_not_gone(client: Client, stand_in: FakeService, day: Clock) -> None:
    stand_in.seriess["GDP"] = [a_series(id="GDP") | {"popularity": 39}]
    paths = [freeze(client, target) for target in ("/series/GDP/", "/series/?ids=GDP")]
    stand_in.error = NotInPeriod(NOT_IN_PERIOD, is_explicit=True)
    day.moment += 3700

    for path in paths:
        assert "<h1>Cannot tell</h1>" in client.get(f"{path}check").text


@pytest.mark.parametrize("is_found", [False, True])
def test_digest_of_a_list_that_lacks_an_id_tells_what_it_can(
    client: Client, stand_in: FakeService, day: Clock, settings: Settings, is_found: bool
) -> None:
    settings.ECON_MAY_STORE = False
    stand_in.seriess["GDP"] = [a_series(id="GDP") | {"popularity": 39}]
    path = freeze(client, "/series/?ids=GDP,FEDFUND")
    names = ["GDP", *(["FEDFUND"] if is_found else [])]
    stand_in.seriess = {name: [a_series(id=name, title="Another title") | {"popularity": 39}] for name in names}
    day.moment += 3700

    assert f"<h1>{'Cannot tell' if is_found else 'Different'}</h1>" in client.get(f"{path}check").text
