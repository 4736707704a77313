"""Comparison of many tags, and of slow sources."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream.client import EconClient
from tests.dashboard.reading import alert, links, rows_of, words
from tests.fake_service import FakeService, a_tag, tags_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
MANY = 6000
LINK = "a=category:1&b=category:2"


@pytest.fixture
def many(stand_in: FakeService) -> FakeService:
    """Two categories with 6,000 tags each: 4,000 are in both, and none is of the group `cc`."""
    tags = [{**tag, "group_id": tag["group_id"].replace("cc", "own")} for tag in tags_of(MANY + 2000)]
    stand_in.has("category", 1, tags[:MANY])
    stand_in.has("category", 2, [{**tag, "series_count": 7} for tag in tags[2000:]])
    return stand_in


def shown(page: Any) -> list[str]:
    return words(page, "//table//tbody//th")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 8000),
        ("&only=all", 4000),
        ("&only=a", 2000),
        ("&only=b", 2000),
        ("&tag_group_id=geo", 1000),
        ("&only=a&tag_group_id=geo", 250),
        ("&tag_group_id=cc", 0),
    ],
)
def test_comparison_filters_agree_between_page_and_file(
    client: Client, many: FakeService, query: str, count: int
) -> None:
    page = client.get(f"/compare/?{LINK}{query}")
    rows = rows_of(client, f"/compare.csv?{LINK}{query}")

    assert len(rows) == count
    assert shown(page) == [row["name"] for row in rows[:100]]
    assert words(page, "//caption") == ([f"1–100 of {count:,} tags"] if count else [])


def test_comparison_pages_follow_order_of_file(client: Client, many: FakeService) -> None:
    for order_by, sort_order in (("name", "asc"), ("b", "desc"), ("difference", "asc"), ("ratio", "desc")):
        query = f"&only=all&tag_group_id=gen&order_by={order_by}&sort_order={sort_order}"
        names = [row["name"] for row in rows_of(client, f"/compare.csv?{LINK}{query}")]

        assert len(set(names)) == 500
        assert walked(client, f"/compare/?{LINK}{query}") == names, query


def walked(client: Client, link: str) -> list[str]:
    """The rows of every page, each found from the one before."""
    found: list[str] = []
    while link:
        page = client.get(link)
        assert ('rel="prev"' in page["Link"]) == bool(found)
        found += shown(page)
        following = re.search(r'<([^>]*)>; rel="next"', page["Link"])
        link = following[1] if following else ""
    return found


def test_comparison_without_matches_offers_to_remove_filters(client: Client, many: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}&tag_group_id=cc&order_by=name&sort_order=asc")

    assert links(page)["Show all 8,000 tags"] == f"/compare/?{LINK}&order_by=name&sort_order=asc"


def test_comparison_names_sources_without_tags(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [])
    stand_in.has("category", 2, [])
    page = client.get(f"/compare/?{LINK}")

    assert words(page, "//div[@class='empty-state']") == ["None of these has tags"]
    assert not words(page, "//table")


def test_comparison_page_past_the_end_links_back(client: Client, many: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}&offset=9000")

    message = "This page does not exist There are 80 pages. Go to page 80"
    assert words(page, "//div[@class='empty-state']") == [message]
    assert links(page)["Previous"] == links(page)["Go to page 80"] == f"/compare/?{LINK}&offset=7900"
    assert page["Link"].startswith(f'</compare/?{LINK}&offset=7900>; rel="prev"')


# --- Sources that take their time --------------------------------------------------------------------------


@pytest.fixture
def slow(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> FakeService:
    """Each source takes six of the ten seconds, on a clock of its own."""
    settings.ECON_TIMEOUT = 10
    moment, get = [0.0], EconClient.get
    clock = SimpleNamespace(monotonic=lambda: moment[0])
    monkeypatch.setattr("econweb.dashboard.comparison.fetching.time", clock)

    def slowly(*arguments: Any) -> bytes:
        moment[0] += 6
        return get(*arguments)

    monkeypatch.setattr(EconClient, "get", slowly)
    for number in range(3):
        stand_in.has("category", number, [a_tag("usa", series_count=number + 1)])
    return stand_in


@pytest.mark.parametrize("path", ["/compare/", "/compare.csv"])
def test_comparison_requests_each_slow_source_once(client: Client, slow: FakeService, path: str) -> None:
    tries = [client.get(f"{path}?a=category:0&b=category:1&c=category:2") for _ in range(3)]
    assert tries[-1].content if path.endswith("/") else tries[-1].getvalue()

    assert [answer.status_code for answer in tries] == [503, 503, 200]
    assert [answer.get("Retry-After") for answer in tries] == ["2", "2", None]
    assert "1 of 3 sources are loaded" in tries[0].text
    assert "2 of 3 sources are loaded" in tries[1].text
    assert len({parameters["category_id"] for _, parameters in slow.asked}) == 3
    assert len(slow.asked) == 3


def test_comparison_at_its_deadline_keeps_progress_and_offers_retry(client: Client, slow: FakeService) -> None:
    page = client.get("/compare/?a=category:0&b=category:1")

    assert "they are kept" in alert(page)
    assert "Try again" in alert(page)
