"""One id in the search box is read with the same marks around it as in a list; words keep theirs."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series, load_catalogue

pytestmark = pytest.mark.django_db
TITLES = {
    "GDP": "Gross Domestic Product",
    "GDPC1": "Real Gross Domestic Product",
    "UNRATE": "Unemployment Rate",
    "SP500": "S&P 500",
}


@pytest.fixture(autouse=True)
def series(tmp_path: Path) -> None:
    save_labels([Label(kind="category", number=106, name="GDP and GNP")])
    load_catalogue(tmp_path, series=[a_series(id=id, title=title) for id, title in TITLES.items()])


@pytest.mark.parametrize(
    "mark", ["(%s)", "'%s", "=%s", '"%s"', "“%s”", "‘%s’", "«%s»", "• %s", "1. %s", "\ufeff%s\u200b"]
)
def test_search_box_ignores_marks_around_an_id(client: Client, mark: str) -> None:
    for one in ("GDPC1", "gdpc1", "GDP"):
        assert client.get("/go", {"q": mark % one})["Location"] == f"/series/{one.upper()}/"
    assert "Open series GDPC1" in client.get("/suggest", {"q": mark % "GDPC1"}).text


def test_search_box_ignores_marks_around_an_id_that_nothing_is_known_of(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"

    assert client.get("/go", {"q": "(ABC_1)"})["Location"] == "/series/ABC_1/"


def test_small_letters_in_marks_may_be_a_name_as_without_marks(client: Client) -> None:
    pages = [client.get("/go", {"q": q}).text for q in ("(gdp)", "gdp")]

    assert pages[0] == pages[1]
    assert "and GNP" in pages[0]


@pytest.mark.parametrize("q", ["1. GDP 2. UNRATE", "“GDP”, “UNRATE”", "GDP\u200b, UNRATE\u200b"])
def test_search_box_ignores_marks_around_ids_of_a_list(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE"


@pytest.mark.parametrize(
    "q",
    ["“unemployment”", '"UNEMPLOYMENT"', "(unemployment)", "“gross domestic”", "S&P 500", "1. rate"],
)
def test_words_keep_their_marks(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q}).get("Location") in {None, f"/search/?{urlencode({'q': q}, safe=',')}"}


@pytest.mark.parametrize("q", ["C++", "(unemployment", "'90s", "(125)"])
def test_search_box_reads_no_other_text_in_marks_as_an_id(client: Client, q: str) -> None:
    assert not client.get("/go", {"q": q}).get("Location", "").startswith("/series/")


@pytest.mark.parametrize("mark", ["(%s)", "“%s”"])
def test_search_box_opens_an_address_in_marks_as_without(client: Client, mark: str) -> None:
    """Its id alone would lose the day, and the notice of a removed key."""
    period, key = "realtime_start=2020-01-01&realtime_end=2020-01-01", "api_key=" + "a1" * 16
    own, other = (
        f"http://testserver/series/GDP/?{period}",
        f"https://api.stlouisfed.org/fred/series?series_id=GDP&{key}",
    )

    assert client.get("/go", {"q": mark % own})["Location"] == f"/series/GDP/?{period}"
    assert client.get("/go", {"q": mark % other})["Location"] == "/series/GDP/?notice=key"


@pytest.mark.parametrize("sign", "\ufeff\u200b\u2060\u00ad\u200e\u200f")
def test_search_box_ignores_invisible_characters_in_words(client: Client, sign: str) -> None:
    assert client.get("/go", {"q": f"unemploy{sign}ment rate"})["Location"] == "/search/?q=unemployment+rate"
    assert (
        client.get("/search/", {"q": f"unemploy{sign}ment"}).text == client.get("/search/", {"q": "unemployment"}).text
    )
    assert client.get("/go", {"q": f"{sign}GDP{sign}"})["Location"] == "/series/GDP/"
    assert client.get("/go", {"q": f"GDP{sign}, UN{sign}RATE"})["Location"] == "/series/?ids=GDP,UNRATE"


def test_search_box_keeps_the_joiners_of_a_word(client: Client) -> None:
    assert "می‌خواهم" in client.get("/go", {"q": "\ufeffمی‌خواهم"}).text
