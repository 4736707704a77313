"""Words in the search box that name no page lead to the series with these words in their titles."""

from urllib.parse import urlencode

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.builders import SUMMARY, a_series
from tests.dashboard.reading import document, links, words
from tests.dashboard.search_box.test_suggestions import first
from tests.fake_service import FakeService
from tests.search_index.sample import sample_titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sample_titles")]
__all__ = ["sample_titles"]
SERIES = "//*[@aria-label='Series']/a"


@pytest.fixture(autouse=True)
def label_book(stand_in: FakeService) -> None:
    save_labels(
        [
            Label(kind="release", number=53, name="Gross Domestic Product"),
            Label(kind="category", number=125, name="Trade Balance"),
        ]
    )
    stand_in.seriess["GDP"] = [{**a_series(id="GDP"), "popularity": 93}]


@pytest.mark.parametrize(
    ("q", "link"),
    [
        ("us gdp", "/search/?q=us+gdp"),
        ("US GDP", "/search/?q=US+GDP"),
        ("real  gdp", "/search/?q=real+gdp"),
        ("unemplyment", "/search/?q=unemplyment"),
        ("gross", "/search/?q=gross"),
        ("inflation", "/search/?q=inflation"),
        ("INFLATION", "/search/?q=INFLATION"),
        ("gdp", "/series/GDP/"),
        ("GDP", "/series/GDP/"),
        ("gross domestic product", "/go?q=gross+domestic+product"),
        ("balance trade", "/search/?q=balance+trade"),
        ("GDPC", "/search/?q=GDPC"),
        ("gdpc", "/search/?q=gdpc"),
        ("trade balance", "/go?q=trade+balance"),
        ("release 53", "/release/53/tags/"),
        ("53", "/release/53/tags/"),
    ],
)
def test_search_box_leads_words_to_series(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q}).get("Location", f"/go?{urlencode({'q': q})}") == link
    assert [*first(client.get("/suggest", {"q": q})).values()] == [link]


def test_search_box_lists_a_whole_name_before_series_with_its_words(client: Client) -> None:
    page = client.get("/go", {"q": "gross domestic product"})
    rows = words(page, "//main//ul//a")

    assert rows[0] == "Release 53 Gross Domestic Product Exact match"
    assert (
        "Series GDP Gross Domestic Product Billions of Dollars · Quarterly · Seasonally Adjusted Annual Rate"
        in rows[1:]
    )
    assert "Exact match" not in "".join(rows[1:])
    link = links(page)["All series with “gross domestic product”"]
    assert link == "/search/?q=gross+domestic+product"


def test_search_box_lists_a_name_and_the_series_with_this_id(client: Client) -> None:
    save_labels([Label(kind="category", number=7, name="GDP")])

    assert words(client.get("/go", {"q": "gdp"}), "//main//ul//a")[:2] == [
        "Category 7 GDP Exact match",
        f"Series GDP Real Gross National Product {SUMMARY}",
    ]
    assert client.get("/go", {"q": "gdp", "kind": "category"})["Location"] == "/category/7/tags/"


def test_search_box_keeps_other_kinds_of_names(client: Client) -> None:
    assert client.get("/go", {"q": "gross", "kind": "release"})["Location"] == "/release/53/tags/"
    assert words(client.get("/suggest", {"q": "gross", "kind": "release"}), SERIES) == []


def test_suggestions_have_six_series_by_words(client: Client) -> None:
    rows = words(client.get("/suggest", {"q": "unemploym rate"}), SERIES)

    assert 1 <= len(rows) <= 6
    for q in ("rate unemploym", "unemplyment"):
        first_row = words(client.get("/suggest", {"q": q}), SERIES)[0]
        assert first_row == "Unemployment Rate Series UNRATE Percent · Monthly · Seasonally Adjusted"


def test_suggestions_have_series_whose_ids_begin_so(client: Client) -> None:
    rows = words(client.get("/suggest", {"q": "GDPC"}), SERIES)

    assert {row.partition("Series ")[2].split()[0] for row in rows} == {"GDPC1", "GDPCA"}


def test_suggestions_for_a_field_have_ids_of_series(client: Client) -> None:
    answer = client.get("/suggest", {"q": "fed funds", "fill": "1"})

    assert document(answer).xpath(f"{SERIES}/@data-value")[0] == "FEDFUNDS"


def test_search_link_has_no_key(client: Client) -> None:
    answer = client.get("/go", {"q": f"unemployment api_key={'k' * 32}"})

    assert answer["Location"] == "/go?q=unemployment+api_key%3D&notice=key"


def test_search_box_finds_cached_series_where_nothing_is_stored(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["ZINC"] = [{**a_series(id="ZINC", title="Zinc price"), "popularity": 39}]
    client.get("/series/ZINC/")

    assert client.get("/go", {"q": "zinc pri"})["Location"] == "/search/?q=zinc+pri"
    assert words(client.get("/suggest", {"q": "zinc pri"}), SERIES) == [f"Zinc price Series ZINC {SUMMARY}"]


@pytest.mark.parametrize("q", ["zinc", "ZINC", "zInC "])
def test_known_id_opens_its_series_where_only_an_earlier_period_is_cached(
    client: Client, settings: Settings, stand_in: FakeService, q: str
) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://api.example.org", False
    stand_in.seriess["ZINC"] = [{**a_series(id="ZINC", title="Price of a metal"), "popularity": 39}]
    client.get("/series/ZINC/?realtime_start=2026-01-01&realtime_end=2026-01-01")

    assert client.get("/go", {"q": q})["Location"] == "/series/ZINC/"
    assert document(client.get("/suggest", {"q": q})).xpath("//a/@href")[0] == "/series/ZINC/"


@pytest.mark.parametrize("link", ["/suggest?q=zinc", "/go?q=zinc+exports"])
def test_discontinued_series_is_marked(client: Client, link: str) -> None:
    save_labels([Label(kind="category", number=1, name="Zinc exports")])
    title_index.add([Record("A", "Zinc exports"), Record("B", "Zinc exports (DISCONTINUED)")], title_index.FETCHED)
    marked = document(client.get(link)).xpath("//strong[text()='Discontinued']/ancestor::a")
    marked += document(client.get(link)).xpath("//strong[text()='Discontinued']/ancestor::li//a")

    assert [one.get("href") for one in marked] == ["/series/B/"] * len(marked)
    assert marked
