"""A pinned link shows the same rows for ever, whatever the catalogue has become."""

import io
import re
from datetime import date
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.upstream import service
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import canonical, links, words

pytestmark = pytest.mark.django_db(transaction=True)
THEN = date(2020, 5, 5)
NAMES = {"GNPCA": ["usa", "annual", "nsa"], "JAPAN": ["japan", "annual", "nsa"]}
VIEWS = [
    "/category/125/tags/?order_by=name&sort_order=asc",
    "/category/125/tags/?tag_names=usa%3Bjapan",
    "/series/GNPCA/",
    "/series/?ids=GNPCA&columns=title,notes",
    "/compare/?a=category:125&b=category:125@2014-01-01",
    "/compare/?a=series:GNPCA&b=series:GNPCA@2014-01-01",
]


def load(catalogue: Loader, seriess: list[dict[str, str]]) -> None:
    ids = {series["id"] for series in seriess}
    catalogue(
        series=seriess,
        tags=[
            {
                "name": name,
                "group_id": "geo",
                "notes": "",
                "created": "2012-02-27 10:18:19-06",
                "popularity": "1",
            }
            for name in ("usa", "japan", "annual", "nsa")
        ],
        categories=[{"category_id": "125", "name": "Trade"}],
        series_categories=[{"series_id": series, "category_id": "125"} for series in ids],
        series_tags=[{"series_id": series, "tag_name": name} for series in ids for name in NAMES[series]],
    )


def load_later(catalogue: Loader) -> None:
    """Load a catalogue with a new description of GNPCA from 2021 on, and with a series of Japan."""
    load(
        catalogue,
        [
            a_series(realtime_end="2020-12-31"),
            a_series(realtime_start="2021-01-01", title="Another title", notes="Other notes."),
            a_series(id="JAPAN", realtime_start="2021-01-01"),
        ],
    )
    cache.clear()
    service.upstream.cache_clear()


def pinned_link(client: Client, path: str) -> str:
    (pin,) = [link for name, link in links(client.get(path)).items() if name.startswith("Link fixed at ")]
    return pin


def rows_shown(client: Client, link: str) -> list[str]:
    page = client.get(link)
    assert page.status_code == 200
    shown = words(page, "//table//tr | //section[@class='record'] | //section[@class='notes-compared']")
    # When the day is past, the page says what is later than it.
    return [re.sub(r" Coverage and last update are [^.]*\.| today's", "", text) for text in shown]


def file_without_its_age(client: Client, link: str, suffix: str) -> Any:
    """Return the file without the time of its fetch, the one thing that another day changes."""
    body = client.get(re.sub(r"/(\?|$)", rf".{suffix}\1", link, count=1)).getvalue()
    if suffix == "xlsx":
        book = load_workbook(io.BytesIO(body))
        return [list(sheet.values) for sheet in book if sheet.title != "about"]
    return re.sub(rb"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC", b"", body)


@pytest.mark.parametrize("view", VIEWS)
def test_pinned_link_is_unchanged_by_later_catalogue(
    client: Client, catalogue: Loader, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    load(catalogue, [a_series()])
    with monkeypatch.context() as then:
        then.setattr(timezone, "localdate", lambda: THEN)
        link = pinned_link(client, view)
    shown = rows_shown(client, link)
    files = {suffix: file_without_its_age(client, link, suffix) for suffix in MEDIA_TYPES}

    load_later(catalogue)

    assert str(THEN) in link
    assert rows_shown(client, link) == shown
    assert {suffix: file_without_its_age(client, link, suffix) for suffix in MEDIA_TYPES} == files
    assert rows_shown(client, view) != shown


@pytest.mark.parametrize("view", VIEWS)
def test_pinned_view_offers_no_pin(client: Client, catalogue: Loader, view: str) -> None:
    load(catalogue, [a_series()])
    link = pinned_link(client, view)
    page = client.get(link)

    assert not [name for name in links(page) if name.startswith("Link fixed at ")]
    (note,) = words(page, "//*[@class='pinned']")
    assert re.fullmatch(r"Fixed at (\d{4}-\d\d-\d\d|these dates) · Show current", note)
    assert "realtime" not in links(page)["Show current"]
    assert canonical(page) == link


@pytest.mark.parametrize("view", ["/category/125/tags/?", "/series/GNPCA/?", "/series/?ids=GNPCA&"])
def test_view_that_ends_in_the_past_is_pinned_without_a_first_day(client: Client, catalogue: Loader, view: str) -> None:
    """Its link was called always current."""
    load(catalogue, [a_series()])
    page, open_end = (client.get(f"{view}realtime_end={day}") for day in ("2018-07-26", "9999-12-31"))

    assert words(page, "//*[@class='pinned']") == ["Fixed at 2018-07-26 · Show current"]
    assert words(page, "//*[@class='copy-link']")[0] == "Copy link"
    assert words(open_end, "//*[@class='copy-link']")[0] == "Copy link (always current)"
    (pin,) = [link for name, link in links(open_end).items() if name.startswith("Link fixed at ")]
    assert words(client.get(pin), "//*[@class='pinned']") == [f"Fixed at {timezone.localdate()} · Show current"]


def test_list_without_found_series_offers_no_pin(client: Client, catalogue: Loader) -> None:
    load(catalogue, [a_series()])

    assert "Link fixed at" not in client.get("/series/?ids=NONE").text
