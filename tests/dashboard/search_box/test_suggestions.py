"""Suggestions while typing: the first row is what Enter does, the others are grouped by kind."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import Answer, document, links, words
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db
# The names of categories and releases with a word that begins with “pri”.
NAMED = ["Prices & Wages", "Total Private", "Consumer Price Index"]


@pytest.fixture(autouse=True)
def label_book() -> None:
    save_labels(
        [
            Label(kind="category", number=125, name="Trade Balance"),
            Label(kind="category", number=9, name="Total Private"),
            Label(kind="category", number=95, name="Prices & Wages"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
            Label(kind="release", number=10, name="Consumer Price Index", note="Monthly"),
        ]
    )


def first(answer: Answer) -> dict[str, str]:
    found = document(answer).xpath("//a[@class='first']")
    return {" ".join(row.xpath("string(span)").split()): str(row.get("href")) for row in found}


@pytest.mark.parametrize(
    ("q", "text", "link"),
    [
        ("GNPCA", "Open series GNPCA", "/series/GNPCA/"),
        ("category 125", "Category 125 — Trade Balance", "/category/125/tags/"),
        ("category 7", "Open category 7", "/category/7/tags/"),
        ("125", "Category 125 — Trade Balance", "/category/125/tags/"),
        ("gross dom", "Release 53 — Gross Domestic Product", "/release/53/tags/"),
        ("GDP, UNRATE, S_1", "Open 3 series", "/series/?ids=GDP,UNRATE,S_1"),
        ("pri", "Show results for “pri”", "/go?q=pri"),
        ("https://fred.stlouisfed.org/release?rid=53", "Release 53 — Gross Domestic Product", "/release/53/tags/"),
        ("https://fred.stlouisfed.org/tags/series?t=gdp", "Open results for “gdp”", "/go?q=gdp"),
        ("zzqqxx", "Nothing found. Press Enter to try it as an id.", "/series/ZZQQXX/"),
        ("zz qq", "Nothing found. Try another word, a number or an id.", "/go?q=zz+qq"),
    ],
)
def test_suggestions_start_with_what_enter_does(
    client: Client, settings: Settings, q: str, text: str, link: str
) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"

    assert first(client.get("/suggest", {"q": q})) == {text: link}
    assert client.get("/go", {"q": q}).get("Location", link) == link


def test_suggestions_show_title_of_cached_series_first(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [{**a_series(), "popularity": 39}]

    assert list(first(client.get("/suggest", {"q": "gnpca"}))) == ["Open series GNPCA — Real Gross National Product"]


def test_suggestions_are_grouped_by_kind_with_guesses_last(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"
    answer = client.get("/suggest", {"q": "pri", "realtime_end": "2014-01-01"})

    assert [group.get("aria-label") for group in document(answer).xpath("//*[@role='group']")] == [
        "Categories",
        "Releases",
        "Guesses",
    ]
    assert list(links(answer).items())[1:] == [
        ("Prices & Wages Category 95", "/category/95/tags/?realtime_end=2014-01-01"),
        ("Total Private Category 9", "/category/9/tags/?realtime_end=2014-01-01"),
        ("Consumer Price Index Release 10", "/release/10/tags/?realtime_end=2014-01-01"),
        ("Try “PRI” as a series id", "/series/PRI/?realtime_end=2014-01-01"),
    ]


def test_suggestions_put_prefixes_first_then_labels_with_a_note() -> None:
    assert [label.number for label in labels.search("pri")] == [95, 10, 9]


def test_suggestions_highlight_matches(client: Client) -> None:
    assert words(client.get("/suggest", {"q": "pri"}), "//mark") == ["Pri"] * 3


@pytest.mark.parametrize(
    ("name", "text", "marked"),
    [
        ("São Paulo", "sao p", "<mark>São</mark> <mark>P</mark>aulo"),
        ("A & <b>", "b", "A &amp; &lt;<mark>b</mark>&gt;"),
        ("Straße", "strass", "<mark>Straß</mark>e"),
        ("Gross GDP x_gdp a&b", "g gdp b", "<mark>G</mark>ross <mark>GDP</mark> x_gdp a&amp;<mark>b</mark>"),
        ("Trade", "x", "Trade"),
        ("Consumer Price, Priced", "consumer prices", "<mark>Consumer</mark> <mark>Price</mark>, Priced"),
        ("Île Price, Priced", "prices", "Île <mark>Price</mark>, Priced"),
        ("Trade.", ".", "Trade."),
        ("U.S. Dollars to U.K. Pound", "us uk", "<mark>U.S</mark>. Dollars to <mark>U.K</mark>. Pound"),
        ("Used in the U.S., U.S.A", "u.s.", "<mark>Us</mark>ed in the <mark>U.S</mark>., <mark>U.S</mark>.A"),
        ("US Dollars.", "U.S. dollar", "<mark>US</mark> <mark>Dollar</mark>s."),
        ("U.S. Dollar", "s", "U.S. Dollar"),
        ("São U.S.", "us", "São <mark>U.S</mark>."),
        ("", "x", ""),
    ],
)
def test_suggestions_escape_marked_text(name: str, text: str, marked: str) -> None:
    assert str(highlight_matches(name, text)) == marked


def test_suggestions_for_a_field_have_values_only(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"
    answer = client.get("/suggest", {"q": "pri", "fill": "1"})

    values = [row.get("data-value") for row in document(answer).xpath("//a[@role='option']")]
    assert values == ["Prices & Wages", "Total Private", "Consumer Price Index", "PRI"]
    assert first(answer) == {}


@pytest.mark.parametrize(
    ("beside", "values"),
    [
        ("tags", NAMED),
        ("series", ["PRI"]),
        ("list", []),
        ("category 125", NAMED),
        ("Category 125@2014-01-01", NAMED),
        ("Trade Balance", NAMED),
        ("https://fred.stlouisfed.org/release?rid=53", NAMED),
        ("GNPCA", ["PRI"]),
        ("series GNPCA", ["PRI"]),
        # It may be a series as well.
        ("125", [*NAMED, "PRI"]),
        ("no such thing", [*NAMED, "PRI"]),
    ],
)
def test_suggestions_beside_a_source_can_be_compared_with_it(
    client: Client, settings: Settings, beside: str, values: list[str]
) -> None:
    """Series, which cannot be compared with a category, stood above the only category."""
    settings.ECON_BASE_URL = "https://api.example.org"
    answer = client.get("/suggest", {"q": "pri", "fill": "1", "beside": beside})

    assert [row.get("data-value") for row in document(answer).xpath("//a[@role='option']")] == values


@pytest.mark.parametrize(("source", "beside"), [("category:125", "tags"), ("series:GNPCA", "series")])
def test_comparison_asks_for_suggestions_that_fit_its_first_source(client: Client, source: str, beside: str) -> None:
    fields = document(client.get(f"/compare/?a={source}")).xpath("//*[@data-combobox='fill']")

    assert [field.get("data-beside") for field in fields] == [None, *[beside] * 5]


def test_suggestions_for_a_field_use_kind_and_number_of_shared_label(client: Client) -> None:
    save_labels([Label(kind="release", number=125, name="Trade Balance")])
    answer = client.get("/suggest", {"q": "trade", "fill": "1"})

    values = [row.get("data-value") for row in document(answer).xpath("//a[@role='option']")]
    assert values[:2] == ["Category 125", "Release 125"]


def test_suggestions_have_five_rows_per_group(client: Client) -> None:
    save_labels(Label(kind="category", number=n, name=f"Prices {n}") for n in range(1000, 1020))
    answer = client.get("/suggest", {"q": "prices"})

    assert [*first(answer)] == ["Show results for “prices”"]
    assert len(document(answer).xpath("//*[@aria-label='Categories']/a")) == 5


def test_suggestions_contain_no_key(client: Client) -> None:
    q = f"no such words api_key={'k' * 32}"

    assert "kkkk" not in client.get("/suggest", {"q": q}).text


def test_suggestions_for_empty_text_are_empty(client: Client) -> None:
    assert client.get("/suggest").text.strip() == ""
