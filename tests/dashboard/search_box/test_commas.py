"""Commas, marks and tabs in the search box."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import Client

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series, load_catalogue

pytestmark = pytest.mark.django_db
TITLES = {
    "GDP": "Gross Domestic Product",
    "UNRATE": "Unemployment Rate",
    "CAUR": "Unemployment Rate in California",
    "GDPC1": "Real Gross Domestic Product, Quarterly",
    "CREDIT": "Crédit à consommé, été",
}


@pytest.fixture(autouse=True)
def series(tmp_path: Path) -> None:
    save_labels([Label(kind="category", number=106, name="GDP and GNP")])
    load_catalogue(tmp_path, series=[a_series(id=id, title=title) for id, title in TITLES.items()])


@pytest.mark.parametrize("mark", [",", ".", ";", ":", "?", "!", " ,", "., "])
def test_search_box_ignores_mark_at_the_end(client: Client, mark: str) -> None:
    """`GDP,` opened a category with that word in its name."""
    assert client.get("/go", {"q": f"GDP{mark}"})["Location"] == "/series/GDP/"
    assert "Open series GDP" in client.get("/suggest", {"q": f"GDP{mark}"}).text
    assert client.get("/go", {"q": f"UNRATE, GDP{mark}"})["Location"] == "/series/?ids=UNRATE,GDP"


@pytest.mark.parametrize(
    "q",
    [
        "unemployment rate, california",
        "unemployment, california",
        "real gdp, quarterly",
        "rate; california",
        "crédit à, été",
    ],
)
def test_comma_between_words_is_no_list(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == f"/search/?{urlencode({'q': q}, safe=',')}"
    assert "Show all results for" in client.get("/suggest", {"q": q}).text


@pytest.mark.parametrize(
    "q", ["gdp,unrate", "GDP , unrate", "gdp; unrate", "gdp|unrate", "GDP\nUNRATE", 'c("gdp", "unrate")', "GDP, UNRATE"]
)
def test_ids_between_commas_are_a_list(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE"


@pytest.mark.parametrize("q", ["GDP UNRATE, gdpc1", "gdp unrate, gdpc1", "GDP\tUNRATE\tgdpc1"])
def test_known_ids_between_different_marks_are_one_list(client: Client, q: str) -> None:
    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE,GDPC1"


def test_suggestions_of_a_browser_repeat_the_text_as_it_was_typed(client: Client) -> None:
    typed, names, *_ = client.get("/suggest.json", {"q": "gdp,"}).json()

    assert typed == "gdp,"
    assert "Gross Domestic Product" in names


def test_list_keeps_id_that_is_missing(client: Client) -> None:
    assert client.get("/go", {"q": "gdp, nosuch"})["Location"] == "/series/?ids=GDP,NOSUCH"


@pytest.mark.parametrize(
    "q",
    [
        "GDP\tGross Domestic Product UNRATE\tUnemployment Rate",
        "GDP\tGross Domestic Product\tBillions UNRATE\tUnemployment Rate\tPercent",
        "ID\tTitle GDP\tGross Domestic Product UNRATE\tUnemployment Rate",
        "GDP\tGross Domestic Product\nUNRATE\tUnemployment Rate",
    ],
)
def test_table_whose_line_breaks_became_blanks_is_a_list(client: Client, q: str) -> None:
    """Browsers do so with what is pasted into a field of one line."""
    assert client.get("/go", {"q": q})["Location"] == "/series/?ids=GDP,UNRATE"


def test_comparison_ignores_mark_at_the_end(client: Client) -> None:
    page = client.get("/compare/", {"a": "GDP,", "b": "UNRATE."})

    assert "<title>GDP compared with UNRATE" in page.text
