"""The search box: accepted texts and redirects."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import SUMMARY, a_series
from tests.dashboard.reading import Answer, alert, document, links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


def results(page: Answer) -> dict[str, str]:
    return links_in(page, "//main//ul")


def guesses(page: Answer) -> dict[str, str]:
    return links_in(page, "//*[@class='guess']")


def links_in(page: Answer, path: str) -> dict[str, str]:
    found = document(page).xpath(f"{path}//a")
    return {" ".join(link.text_content().split()): str(link.get("href")) for link in found}


@pytest.fixture(autouse=True)
def label_book() -> None:
    save_labels(
        [
            Label(kind="category", number=125, name="Trade Balance"),
            Label(kind="category", number=95, name="Énergie & Prices"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
            Label(kind="release", number=10, name="Consumer Price Index"),
        ]
    )


@pytest.fixture
def elsewhere(settings: Settings) -> None:
    """A service that is not asked whether a series exists."""
    settings.ECON_BASE_URL = "https://api.example.org"


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("q", "link"),
    [
        ("GNPCA", "/series/GNPCA/"),
        ("gnpca", "/series/GNPCA/"),
        ("  GNPCA ", "/series/GNPCA/"),
        ("category 125", "/category/125/tags/"),
        ("Cat:125", "/category/125/tags/"),
        ("release 53", "/release/53/tags/"),
        ("trade balance", "/category/125/tags/"),
        ("BALANCE  trade", "/category/125/tags/"),
        ("energie prices", "/category/95/tags/"),
        ("consumer pri", "/release/10/tags/"),
        ("/category/125/tags/?tag_group_id=geo", "/category/125/tags/?tag_group_id=geo"),
        ("https://econweb.example.org/release/53/tags/?order_by=name", "/release/53/tags/?order_by=name"),
        ("data.example.org/series/UNRATE", "/series/UNRATE/"),
        ("https://fred.stlouisfed.org/categories/125?t=nsa;usa", "/category/125/tags/?tag_names=nsa%3Busa"),
        ("https://fred.stlouisfed.org/release?rid=53&t=a%2Bb", "/release/53/tags/?tag_names=a%2Bb"),
        ("https://api.example.org/econ/series?series_id=gnpca&file_type=json", "/series/GNPCA/"),
        (
            "https://api.example.org/econ/category/tags?category_id=125&tag_group_id=freq&file_type=xml",
            "/category/125/tags/?tag_group_id=freq",
        ),
        ("http://127.0.0.1/econ/release/tags?release_id=53&limit=5", "/release/53/tags/?limit=5"),
        ("GDP, UNRATE", "/series/?ids=GDP,UNRATE"),
        ("GDP UNRATE\nS_1", "/series/?ids=GDP,UNRATE,S_1"),
        ("gdp;unrate", "/series/?ids=GDP,UNRATE"),
        ('c("GDP", "UNRATE")', "/series/?ids=GDP,UNRATE"),
        ("https://a.example/series/GDP https://a.example/series/UNRATE/", "/series/?ids=GDP,UNRATE"),
        ("https://a.example/series/?ids=GDP,UNRATE&columns=title", "/series/?ids=GDP,UNRATE&columns=title"),
        ("/series.csv?ids=GDP,UNRATE", "/series/?ids=GDP,UNRATE"),
        (
            "/compare/?a=category:125&b=release:53@2020-01-31",
            "/compare/?a=category:125&b=release:53@2020-01-31",
        ),
        ("/category/125/tags.csv?order_by=name", "/category/125/tags/?order_by=name"),
        ("/release/53/tags/code?limit=5", "/release/53/tags/?limit=5"),
        ("/series/GNPCA.bib", "/series/GNPCA/"),
    ],
)
def test_search_box_redirects_unambiguous_text(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == link


@pytest.mark.usefixtures("elsewhere")
def test_search_box_offers_capitals_as_ids_or_name(client: Client) -> None:
    page = client.get("/go", {"q": "PRICE IN"})

    assert {"2 series", "Release 10 Consumer Price Index"} <= set(links(page))


@pytest.mark.usefixtures("elsewhere")
def test_search_box_offers_three_meanings_of_unnamed_number(client: Client) -> None:
    page = client.get("/go", {"q": "77"})

    assert "No name here matches." in page.text
    assert guesses(page) == {
        "Try “77” as a category number": "/category/77/tags/",
        "Try “77” as a release number": "/release/77/tags/",
        "Try “77” as a series id": "/series/77/",
    }


@pytest.mark.parametrize(("q", "link"), [("125", "/category/125/tags/"), ("53", "/release/53/tags/")])
def test_search_box_redirects_number_with_one_label(client: Client, q: str, link: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == link


def test_search_box_ignores_number_within_other_label(client: Client) -> None:
    save_labels([Label(kind="release", number=17, name="H.10 Foreign Exchange Rates")])

    assert client.get("/go", {"q": "10"})["Location"] == "/release/10/tags/"


def test_search_box_offers_both_labels_of_a_number(client: Client) -> None:
    save_labels([Label(kind="category", number=53, name="Output")])
    found = results(client.get("/go", {"q": "53"}))

    assert list(found) == ["Category 53 Output", "Release 53 Gross Domestic Product"]


def test_search_box_offers_every_matching_label(client: Client) -> None:
    page = client.get("/go", {"q": "price"})

    assert {"Release 10 Consumer Price Index", "Category 95 Énergie & Prices"} <= set(links(page))


@pytest.mark.parametrize(
    "q",
    [
        "a b",
        "x" * 26,
        "<script>alert(1)</script>",
        "//evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/category/1/../../admin/",
        "category 99999999999999999999",
        "ＧＮＰ",
        "G\x00N",
        "/\\evil/",
        "http://[",
        "https://api.example.org/econ/series/categories?series_id=GNPCA",
        "https://data.example.org/a/series/GNPCA",
        "/series/GNPCA/nothing",
    ],
)
def test_search_box_keeps_unmatched_text_with_message(client: Client, q: str) -> None:
    page = client.get("/go", {"q": q})

    assert page.status_code == 404
    assert "No match for" in alert(page)
    assert "a series id (GNPCA)" in alert(page)
    assert "<script>alert" not in page.text
    assert document(page).xpath("string(//input[@id='go-box']/@value)") == q.replace("\x00", "\ufffd")


@pytest.mark.parametrize("query", ["", "q=", "q=%20"])
def test_search_box_explains_empty_text(client: Client, query: str) -> None:
    assert "Type something to search for, such as GNPCA." in alert(client.get(f"/go?{query}"))


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("kind", "q", "link"),
    [
        ("series", "unrate", "/series/UNRATE/"),
        ("series", "unrate,gdp", "/series/?ids=UNRATE,GDP"),
        ("series", "unrate gdp", None),
        ("series", "S&P", None),
        ("category", "125", "/category/125/tags/"),
        ("release", "gross", "/release/53/tags/"),
        ("nonsense", "125 category", None),
    ],
)
def test_search_box_accepts_kind_from_form(client: Client, kind: str, q: str, link: str | None) -> None:
    assert client.get("/go", {"kind": kind, "q": q}).get("Location") == link


def test_search_box_keeps_past_date(client: Client) -> None:
    answer = client.get("/go", {"q": "category 125", "realtime_start": "2014-01-01", "realtime_end": ""})

    assert answer["Location"] == "/category/125/tags/?realtime_start=2014-01-01"


@pytest.mark.parametrize("q", ["gross domestic prices", "us gdp", "Real Gdp", "no such thing", "jobs, pay"])
@pytest.mark.parametrize("kind", ["", "series"])
def test_search_box_never_reads_words_as_ids(client: Client, stand_in: FakeService, q: str, kind: str) -> None:
    """B1 of the review: three words made a list of three series that do not exist."""
    page = client.get("/go", {"q": q, "kind": kind})

    assert page.status_code == 404
    assert f"No match for “{q}”" in alert(page)


def test_search_box_offers_no_list_with_a_missing_id(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GDP"] = [{**a_series(id="GDP", title="Gross Domestic Product"), "popularity": 39}]
    page = client.get("/go", {"q": "US GDP"})

    assert page.status_code == 404
    assert results(page) == {"Series GDP Gross Domestic Product": "/series/GDP/"}


def test_search_box_suggests_close_labels_without_a_match(client: Client) -> None:
    page = client.get("/go", {"q": "gross national product"})

    assert results(page) == {"Release 53 Gross Domestic Product": "/release/53/tags/"}


def test_search_box_offers_unknown_word_as_id_last(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"
    page = client.get("/go", {"q": "gross"})

    assert list(results(page)) == ["Release 53 Gross Domestic Product"]
    assert guesses(page) == {"Try “GROSS” as a series id": "/series/GROSS/"}


def test_search_box_offers_no_id_known_to_be_missing(client: Client, stand_in: FakeService) -> None:
    assert guesses(client.get("/go", {"q": "price"})) == {}
    assert client.get("/go", {"q": "gross"})["Location"] == "/release/53/tags/"


def test_search_box_shows_existing_series_with_title(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["PRICE"] = [{**a_series(id="PRICE", title="All prices"), "popularity": 39}]
    page = client.get("/go", {"q": "price"})

    assert next(iter(results(page))) == f"Series PRICE All prices {SUMMARY}"
    assert guesses(page) == {}


def test_search_results_name_and_mark_the_text(client: Client) -> None:
    page = client.get("/go", {"q": "pri"})

    assert words(page, "//h1") == ["Results for “pri”"]
    assert words(page, "//mark") == ["Pri", "Pri"]


def test_search_results_state_when_they_are_cut(client: Client) -> None:
    save_labels(Label(kind="category", number=n, name=f"Prices {n}") for n in range(1000, 1150))
    page = client.get("/go", {"q": "prices"})

    assert len(results(page)) == 100
    assert "The first 100 of 152 results." in page.text
