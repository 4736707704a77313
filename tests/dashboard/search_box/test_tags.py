"""Tags in the search box: among the suggestions, and beside the series and names with the same words."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.builders import a_series
from tests.dashboard.reading import Answer, document, links, words
from tests.dashboard.search_box.test_suggestions import first
from tests.fake_service import FakeService
from tests.search_index.recorded import record_tags, tag

pytestmark = pytest.mark.django_db
SUGGESTED = "//*[@aria-label='Tags']/a"
LISTED = "//main//ul//a"


@pytest.fixture(autouse=True)
def index(stand_in: FakeService) -> None:
    names = {"gdp": "gen", "monthly": "freq", "rate": "gen", "interest rate": "gen", "exchange rate": "gen"}
    more = {"exchange rates": "rls", "usa": "geo", "u.s. states": "geot", "odd one": ""}
    found = [tag(name, group_id=group) for name, group in {**names, **more}.items()]
    record_tags("category", 125, found, 100, timezone.now())
    record_tags("release", 53, found[:4], 100, timezone.now())
    title_index.add(
        [
            Record("GDP", "Gross Domestic Product"),
            Record("GDPC1", "Real output"),
            Record("FF", "Federal rate, monthly"),
        ],
        title_index.FETCHED,
    )
    stand_in.seriess["GDP"] = [{**a_series(id="GDP", title="Gross Domestic Product"), "popularity": 93}]


def suggested(client: Client, q: str) -> list[str]:
    return words(client.get("/suggest", {"q": q}), SUGGESTED)


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("gdp", ["gdp Topic tag"]),
        ("GDP", ["gdp Topic tag"]),
        ("month", ["monthly Frequency tag"]),
        ("exch rat", ["exchange rate Topic tag", "exchange rates Release tag"]),
        ("odd", []),
        ("125", []),
        ("gdp, usa", []),
    ],
)
def test_suggestions_have_tags_by_the_words_of_their_names(client: Client, q: str, found: list[str]) -> None:
    assert suggested(client, q) == found


def test_suggestions_have_three_tags_the_whole_name_first_and_then_the_most_used(client: Client) -> None:
    assert suggested(client, "rate") == ["rate Topic tag", "interest rate Topic tag", "exchange rate Topic tag"]


def test_suggested_tags_are_above_the_series(client: Client) -> None:
    groups = document(client.get("/suggest", {"q": "month"})).xpath("//*[@role='group']/@aria-label")

    assert groups == ["Tags", "Series"]


def test_suggestions_for_a_field_have_no_tags(client: Client) -> None:
    assert words(client.get("/suggest", {"q": "monthly", "fill": "1"}), SUGGESTED) == []
    assert words(client.get("/suggest", {"q": "monthly", "kind": "series"}), SUGGESTED) == []


def test_suggestions_to_browsers_have_tags(client: Client) -> None:
    _, found, kinds, addresses = client.get("/suggest.json?q=month").json()

    assert ("monthly", "Frequency tag") in zip(found, kinds, strict=True)
    assert "http://testserver/tag/monthly/" in addresses


def test_search_box_lists_a_tag_beside_the_series_with_its_name(client: Client) -> None:
    page = client.get("/go", {"q": "gdp"})

    assert document(page).xpath(f"{LISTED}/@href") == ["/series/GDP/", "/tag/gdp/", "/series/GDPC1/"]
    assert "Topic tag gdp Exact match" in words(page, LISTED)
    assert first(client.get("/suggest", {"q": "gdp"})) == {"Show results for “gdp”": "/go?q=gdp"}


def test_search_box_lists_a_tag_beside_the_series_with_its_words(client: Client) -> None:
    save_labels([Label(kind="category", number=7, name="Monthly Rates")])
    page = client.get("/go", {"q": "monthly", "realtime_end": "2014-01-01"})
    past = "?realtime_end=2014-01-01"

    assert words(page, LISTED)[0] == "Frequency tag monthly Exact match"
    assert document(page).xpath(f"{LISTED}/@href") == [
        "/tag/monthly/",
        f"/category/7/tags/{past}",
        f"/series/FF/{past}",
    ]
    assert links(page)["All series with “monthly”"] == "/search/?q=monthly"


def test_search_box_lists_the_tags_that_it_suggested(client: Client) -> None:
    page = client.get("/go", {"q": "rate"})

    assert [row for row in words(page, LISTED) if " tag " in row] == [
        "Topic tag rate Exact match",
        "Topic tag interest rate",
        "Topic tag exchange rate",
    ]


def test_search_box_lists_a_tag_beside_a_name(client: Client) -> None:
    save_labels([Label(kind="category", number=7, name="Interest Rate")])

    assert words(client.get("/go", {"q": "interest rate"}), LISTED)[:2] == [
        "Category 7 Interest Rate Exact match",
        "Topic tag interest rate Exact match",
    ]


@pytest.mark.parametrize(
    ("q", "link"),
    [
        ("GDP", "/series/GDP/"),
        ("usa", "/tag/usa/"),
        ("USA", "/tag/usa/"),
        ("exchange rates", "/tag/exchange%20rates/"),
        ("odd", "/tag/odd%20one/"),
        ("tag gdp", "/tag/gdp/"),
        ("Tag: exchange rate", "/tag/exchange%20rate/"),
        ("federal rate", "/search/?q=federal+rate"),
    ],
)
def test_search_box_opens_the_only_meaning(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == link
    assert [*first(client.get("/suggest", {"q": q})).values()] == [link]


def test_search_box_offers_tags_that_have_one_of_the_words(client: Client) -> None:
    page = client.get("/go", {"q": "monthly the employment"})

    assert page.status_code == 404
    assert words(page, LISTED) == ["Frequency tag monthly"]


def test_search_box_finds_no_unknown_tag(client: Client) -> None:
    assert client.get("/go", {"q": "tag zinc"}).status_code == 404


def test_search_box_still_guesses_an_id_that_may_exist(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"
    page: Answer = client.get("/go", {"q": "usa"})

    assert words(page, LISTED) == ["Geography tag usa Exact match"]
    assert links(page)["Try “USA” as a series id"] == "/series/USA/"


@pytest.mark.parametrize("q", ["us sta", "u.s. states", "U.S"])
def test_tag_with_dots_between_letters_is_found_with_and_without_them(client: Client, q: str) -> None:
    for page in ("/suggest", "/browse/tags/"):
        assert "/tag/u.s.%20states/" in links(client.get(page, {"q": q})).values()
