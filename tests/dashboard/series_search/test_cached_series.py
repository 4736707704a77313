"""The search page of a site that may store nothing: series in the cache, and imported titles."""

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from econweb.upstream import clock, service
from econweb.upstream.queries import SeriesQuery
from tests.builders import a_series
from tests.dashboard.reading import document, links, rows_of
from tests.dashboard.series_search.test_series_search import ids
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


def test_search_without_stored_titles_covers_cache_and_imports(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]
    title_index.add([Record("I", "Imported national product", frequency="Daily")], title_index.IMPORTED)
    client.get("/series/GNPCA/")
    page = client.get("/search/?q=national+prod")

    assert ids(page) == ["GNPCA", "I"]
    assert ids(client.get("/search/?q=gnp")) == ids(client.get("/search/?q=GNPC")) == ["GNPCA"]
    assert ids(client.get("/search/?q=national&frequency=Annual")) == ["GNPCA"]
    assert "It stores no others." in page.text
    assert "No searched title has “zinc”" in " ".join(client.get("/search/?q=zinc").text.split())
    assert not document(client.get("/search/")).xpath("//main//a")
    assert "national product" in client.get("/search.csv?q=national").getvalue().decode().lower()


def test_search_file_is_new_after_a_series_was_opened(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["GNPCA"] = [{**a_series(), "title": "Zinc ore", "popularity": 39}]
    title_index.add([Record("GNPCA", "Zinc")], title_index.IMPORTED)
    known = {"If-None-Match": client.get("/search.csv?q=zinc")["ETag"]}

    assert client.get("/search.csv?q=zinc", headers=known).status_code == 304
    client.get("/series/GNPCA/")
    assert "Zinc ore" in client.get("/search.csv?q=zinc", headers=known).getvalue().decode()


def test_search_has_the_titles_of_today_after_a_past_day_was_opened(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["GNPCA"] = [{**a_series(), "title": "Zinc today", "popularity": 39}]
    client.get("/series/GNPCA/")
    stand_in.seriess["GNPCA"] = [{**a_series(), "title": "Lead formerly", "popularity": 39}]
    client.get("/series/GNPCA/?realtime_start=2014-01-01&realtime_end=2014-01-01")

    assert ids(client.get("/search/?q=zinc")) == ["GNPCA"]
    assert ids(client.get("/search/?q=lead")) == []


@pytest.mark.parametrize("days", [0, 1])
def test_search_has_the_newest_title_after_a_series_was_read_again(
    client: Client, settings: Settings, stand_in: FakeService, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """The page has all versions of an earlier moment, the last of which has no end."""
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["GNPCA"] = [{**a_series(), "title": "Lead formerly", "popularity": 39}]
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: now() - timedelta(days=days, minutes=2).total_seconds())
    client.get("/series/GNPCA/")
    monkeypatch.setattr(clock, "now", now)
    stand_in.seriess["GNPCA"] = [{**a_series(), "title": "Zinc today", "popularity": 39}]
    service.series(SeriesQuery("GNPCA"), renew=True)

    assert ids(client.get("/search/?q=zinc")) == ["GNPCA"]
    assert ids(client.get("/search/?q=lead")) == []


def test_search_pages_have_cached_series_before_imported_ones(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    title_index.add((Record(f"I{n}", f"Zinc {n}") for n in range(60)), title_index.IMPORTED)
    for number in range(70):
        stand_in.seriess[f"C{number}"] = [{**a_series(id=f"C{number}", title="Zinc"), "popularity": 39}]
        service.series(SeriesQuery(f"C{number}"))
    pages = [ids(client.get(f"/search/?q=zinc&offset={offset}")) for offset in (0, 50, 100)]

    assert [len(page) for page in pages] == [50, 50, 30]
    assert len({one for page in pages for one in page}) == 130
    assert [sum(one.startswith("C") for one in page) for page in pages] == [50, 20, 0]


def test_search_counts_an_imported_series_in_the_cache_once(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    title_index.add((Record(f"Z{n}", f"Zinc {n}") for n in range(120)), title_index.IMPORTED)
    for number in range(10, 20):
        stand_in.seriess[f"Z{number}"] = [{**a_series(id=f"Z{number}", title="Zinc"), "popularity": 39}]
        service.series(SeriesQuery(f"Z{number}"))
    pages = [ids(client.get(f"/search/?q=zinc&offset={offset}")) for offset in (0, 50, 100)]
    found = links(client.get("/search/?q=zinc"))

    assert [len(page) for page in pages] == [50, 50, 20]
    assert len({one for page in pages for one in page}) == 120
    assert len(rows_of(client, "/search.csv?q=zinc")) == 120
    assert {"Annual 10", "Not known 110"} <= {*found}
    assert ids(client.get("/search/?q=Z11")) == ["Z11", *(f"Z{n}" for n in range(110, 120))]
    assert ids(client.get("/search/?q=zinc&frequency=Annual")) == [f"Z{n}" for n in range(10, 20)]
