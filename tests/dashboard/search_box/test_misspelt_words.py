"""A misspelt word in the search box: close names and ids, and no request to the service."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import alert, links
from tests.dashboard.search_box.test_search_box import guesses, results
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def label_book() -> None:
    save_labels(
        [
            Label(kind="category", number=95, name="Energy & Prices"),
            Label(kind="release", number=53, name="Gross Domestic Product"),
            Label(kind="release", number=10, name="Consumer Price Index"),
        ]
    )


@pytest.mark.parametrize(
    ("q", "link"),
    [
        ("consumr", "/release/10/tags/"),
        ("pirces", "/category/95/tags/"),
        ("gros domestik product", "/release/53/tags/"),
        ("Consummer", "/release/10/tags/"),
    ],
)
def test_search_box_offers_close_names_for_a_misspelt_word(client: Client, q: str, link: str) -> None:
    page = client.get("/go", {"q": q})

    assert page.status_code == 404
    assert f"No match for “{q}”" in alert(page)
    assert [found for found in results(page).values() if not found.startswith("/series/")] == [link]


def test_search_box_sends_no_misspelt_word_to_the_service(
    client: Client, settings: Settings, stand_in: FakeService
) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"
    page = client.get("/go", {"q": "pirces"})
    suggested = client.get("/suggest", {"q": "pirces"})

    assert guesses(page) == {"Try “PIRCES” as a series id": "/series/PIRCES/"}
    assert links(suggested)["Nothing found. Press Enter for close names. Enter"] == "/go?q=pirces"
    assert stand_in.asked == []


def test_search_box_offers_close_ids_of_the_sample(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"

    assert "/series/CONSUMER/" in results(client.get("/go", {"q": "consumr"})).values()


def test_search_box_does_not_guess_an_id_known_to_be_missing(client: Client, stand_in: FakeService) -> None:
    page = client.get("/go", {"q": "pirces"})

    assert guesses(page) == {}
    assert "Close matches" in page.text


def test_search_box_takes_no_letter_for_another_that_has_the_same_capital(client: Client, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://api.example.org"

    assert client.get("/go", {"q": "series mich"})["Location"] == "/series/MICH/"
    assert client.get("/go", {"q": "series m\u0131ch"}).headers.get("Location") != "/series/MICH/"


@pytest.mark.parametrize("q", ["FRED:GNPCA", "fred/gnpca", "GNPCA@USECON"])
def test_id_with_the_name_of_a_source_leads_to_the_id(client: Client, stand_in: FakeService, q: str) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]

    assert "/series/GNPCA/" in links(client.get("/go", {"q": q})).values()
    for path in ("/series/", "/check/"):
        assert f"“{q}” is not a series id. Did you mean GNPCA? Correct" in alert(client.get(path, {"ids": q}))
    assert "Did you mean" not in alert(client.get("/check/", {"ids": "FRED:NONE"}))
