"""The appendix pack of a saved list: the series of now, for the people who may see the list."""

import hashlib

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.library.models import EVERYONE
from econweb.upstream.errors import Busy
from tests.builders import a_series
from tests.dashboard.saved.people import AUDIENCES, PEOPLE, SEE, STRANGER, client_of, let_people_sign_in
from tests.dashboard.sharing.crate import read_crate
from tests.fake_service import FakeService
from tests.library.builders import a_saved_view

pytestmark = pytest.mark.django_db
LIST = {"kind": "list", "target": "/series/?ids=GNPCA,NONE", "title": "A title", "note": "Why."}


@pytest.fixture(autouse=True)
def series(stand_in: FakeService) -> FakeService:
    stand_in.seriess["GNPCA"] = [a_series() | {"popularity": 39, "notes": "A note."}]
    return stand_in


def test_pack_of_a_saved_list_is_a_crate_with_everything(client: Client) -> None:
    a_saved_view(**LIST).save()
    files, entities = read_crate(client.get("/saved/trade.zip").getvalue())
    readme = files["README.txt"].decode()

    assert files["rows.csv"].count(b"\nGNPCA,") == files["records.jsonl"].count(b"\n") == 1
    assert all(text in readme for text in ("A title\nWhy.", "Missing: NONE: ", "http://testserver/saved/trade/"))
    assert hashlib.sha256(files["records.jsonl"]).hexdigest() in readme
    assert files["notes.txt"] == b"GNPCA\nA note.\n"
    assert b"A title [saved list]" in files["citation.txt"]
    assert files["code/addresses.txt"].count(b"series_id=GNPCA") == 1
    assert entities["./"]["name"] == "A title"


def test_pack_of_a_past_day_says_of_when_the_popularity_is(client: Client) -> None:
    a_saved_view(**LIST | {"target": "/series/?ids=GNPCA&realtime_start=2015-01-01&realtime_end=2015-01-01"}).save()
    readme = read_crate(client.get("/saved/trade.zip").getvalue())[0]["README.txt"].decode()

    assert "Popularity is that of the day of the fetch.\n" in readme


@pytest.mark.parametrize(
    ("dates", "is_said"),
    [
        ("", True),
        ("&realtime_start=2015-01-01", True),
        ("&realtime_start=2015-01-01&realtime_end=9999-12-31", True),
        ("&realtime_start=2015-01-01&realtime_end=2015-01-01", False),
    ],
)
def test_readme_says_that_the_address_shows_other_data_later(client: Client, dates: str, is_said: bool) -> None:
    """The citation leads to an address without these rows."""
    a_saved_view(**LIST | {"target": f"/series/?ids=GNPCA{dates}"}).save()
    readme = read_crate(client.get("/saved/trade.zip").getvalue())[0]["README.txt"].decode()
    sentence = (
        "Address shows: the data of the day on which it is opened. The rows of this day are in this pack alone.\n"
    )

    assert (sentence in readme) == is_said
    assert ("Address shows" in readme) == is_said


def test_pack_is_offered_on_the_page_of_the_saved_list_alone(client: Client) -> None:
    a_saved_view(**LIST).save()

    assert '<a href="/saved/trade.zip">Appendix pack (.zip)</a>' in client.get("/saved/trade/").text
    assert "Appendix pack" not in client.get("/series/?ids=GNPCA").text


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_pack_is_for_the_people_who_may_see_the_list(settings: Settings, name: str, audience: str) -> None:
    let_people_sign_in(settings)
    a_saved_view(**LIST, audience=audience).save()
    client = client_of(name)

    assert client.get("/saved/trade.zip").status_code == (200 if audience == EVERYONE else 404)
    seen = 200 if name in SEE[audience] else 404
    assert client.get("/me/saved/trade.zip").status_code == (403 if name == STRANGER else seen)


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_view_of_another_kind_says_that_only_a_list_has_a_pack(client: Client, accept: str) -> None:
    a_saved_view().save()
    a_saved_view(slug="hidden", audience="me").save()
    answer, hidden, never = (
        client.get(f"/saved/{slug}.zip", headers={"Accept": accept}) for slug in ("trade", "hidden", "never")
    )

    assert (answer.status_code, hidden.status_code) == (404, 404)
    assert "Of saved views, only a list has an appendix pack." in answer.text
    assert "No saved view" not in answer.text
    assert hidden.text.replace("hidden", "never") == never.text


def test_list_that_still_loads_has_no_pack_yet(client: Client, series: FakeService) -> None:
    series.error = Busy("Wait.", 5)
    a_saved_view(**LIST).save()
    answer = client.get("/saved/trade.zip")

    assert answer.status_code == 503
    assert answer["Retry-After"]
