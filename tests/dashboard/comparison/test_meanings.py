"""The meaning of a text in the form of a comparison: what it asks about, and what it says of other kinds."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.builders import a_series
from tests.dashboard.reading import alert, links
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def names(stand_in: FakeService) -> None:
    stand_in.seriess["GNPCA"] = [a_series()]
    save_labels(
        [
            Label(kind="release", number=50, name="Employment Situation"),
            Label(kind="category", number=11, name="Job Losses"),
        ]
    )


@pytest.mark.parametrize("text", ["employment situ", "sit", "employment"])
def test_comparison_form_asks_where_a_text_is_only_part_of_a_name(client: Client, text: str) -> None:
    """`foo` was read as “Retail and Food Services”, and `inflation` as a category that is not about it."""
    title_index.add([Record("CE16OV", "Employment Level")], title_index.FETCHED)
    page = client.get("/compare/", {"a": "category:125", "b": f"{text}@2020-01-31"})

    assert page.status_code == 400
    assert f"Second: which “{text}@2020-01-31” do you mean?" in alert(page)
    assert links(page)["Release 50, Employment Situation"] == "/compare/?a=category:125&b=release:50@2020-01-31"


def test_comparison_form_offers_an_id_of_which_nobody_knows_beside_a_part_of_a_name(
    client: Client, settings: Settings
) -> None:
    settings.ECON_BASE_URL = "https://data.example.org/econ"

    assert {"Release 50, Employment Situation", "Series SIT"} <= {*links(client.get("/compare/?a=sit"))}
    assert "Second: “NEW” is read as series NEW." in alert(client.get("/compare/?a=Job+Losses&b=NEW"))


def test_comparison_form_says_how_it_read_what_cannot_be_compared(client: Client) -> None:
    """It did not say that `CPI` was a category, or that nothing has the id `BAR`."""
    texts = {"a": "employment situ", "b": "gnpca", "c": "Job Losses", "d": "BAR", "e": "category:125@2020-01-31"}
    ids = ",".join(f"A{number}" for number in range(40))

    assert (
        "First: “employment situ” is read as release 50, Employment Situation. "
        "Second: “gnpca” is read as series GNPCA. Third: “Job Losses” is read as category 11, Job Losses. "
        "Fourth: “BAR” is no known id. Fifth: “category:125@2020-01-31” is read as category 125. "
        "Compare a series with a series,"
    ) in alert(client.get("/compare/", texts))
    assert "…” is read as a list." in client.get("/compare.csv", {"a": f"list:{ids}", "b": "NEW"}).text


def test_comparison_form_offers_only_series_beside_a_series(client: Client) -> None:
    """Each choice beside a series was a category or release, and its link an error."""
    title_index.add([Record("CE16OV", "Employment Level")], title_index.FETCHED)
    page = client.get("/compare/", {"a": "GNPCA", "b": "employment@2020-01-31"})

    assert "Second: which “employment@2020-01-31” do you mean?" in alert(page)
    choices = {name: link for name, link in links(page).items() if "b=" in link}
    assert choices == {"Series CE16OV, Employment Level": "/compare/?a=GNPCA&b=series:CE16OV@2020-01-31"}


@pytest.mark.parametrize(
    ("first", "title", "text"),
    [
        ("GNPCA", "series GNPCA", "job"),
        ("GNPCA,NEW", "series list GNPCA, NEW", "job"),
        ("GNPCA,NEW", "series list GNPCA, NEW", "50"),
    ],
)
def test_comparison_form_says_where_no_meaning_can_be_compared(
    client: Client, first: str, title: str, text: str
) -> None:
    """It asked which one was meant, and the link of each choice was an error."""
    save_labels([Label(kind="release", number=192, name="Job Openings")])
    page = client.get("/compare/", {"a": first, "b": text})

    assert f"Second: “{text}” names nothing to compare with {title}. Compare a series with a series," in alert(page)
    assert [link for link in links(page).values() if "b=" in link] == []


@pytest.mark.parametrize("text", ["series:m\u0131ch", "list:GNPCA,m\u0131ch"])
def test_comparison_takes_no_letter_for_another_that_has_the_same_capital(client: Client, text: str) -> None:
    page = client.get("/compare/", {"a": text, "b": "list:GNPCA,MICH"})

    assert f"First: “{text}” is not known." in alert(page)
