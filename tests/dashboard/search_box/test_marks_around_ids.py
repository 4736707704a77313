"""One id in the search box is read with the same marks around it as in a list; words keep theirs."""

from pathlib import Path

import pytest
from django.test import Client

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
