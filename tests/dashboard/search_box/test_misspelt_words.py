"""A misspelt word in the search box: close names and ids, and no request to the service."""

import json

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.builders import a_series
from tests.dashboard.reading import alert, links, words
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


def test_id_with_the_name_of_a_source_beside_an_id_leads_to_the_id(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess |= {name: [a_series(id=name) | {"popularity": 39}] for name in ("GNPCA", "UNRATE")}
    asked = {"ids": "FRED:GNPCA,S&P,UNRATE"}
    listed, checked = client.get("/series/", asked), client.get("/check/", asked)
    files = [client.get(path, asked).getvalue().decode() for path in ("/series.csv", "/series.json")]
    rows = json.loads(client.get("/check.json", asked).getvalue())["checks"]

    ignored = "Ignored, because they are not series ids: FRED:GNPCA (did you mean GNPCA?) · S&P."
    assert words(listed, "//main/p[@class='notice']") == [ignored]
    assert all("FRED:GNPCA: This is not a series id. Did you mean GNPCA?; S&P: This is" in file for file in files)
    reason = "A series id has at most 25 letters from A to Z, digits and _."
    expected = {"FRED:GNPCA": f"{reason} Did you mean GNPCA?", "S&P": reason}
    assert {row["id"]: row["reason"] for row in rows if row["verdict"] == "not an id"} == expected
    assert words(checked, "//span[@class='reason']")[:2] == [*expected.values()]
    checks = client.get("/check.csv", asked).getvalue().decode()
    assert f'FRED:GNPCA,not an id,,"{reason} Did you mean GNPCA?",' in checks


def test_many_refused_words_are_looked_up_in_bounded_number(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39}]
    client.get("/series/GNPCA/")
    page = client.get("/series.json", {"ids": f"GNPCA {' '.join(f'FRED{n}:GNPCA' for n in range(30))}"})

    assert page.getvalue().decode().count("Did you mean GNPCA?") == 20
