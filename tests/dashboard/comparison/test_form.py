"""What the fields of a comparison understand: whatever the one box does."""

import pytest
from django.test import Client

from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from tests.builders import a_series
from tests.dashboard.reading import alert, canonical, document
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db
KEY = "k" * 32


@pytest.fixture(autouse=True)
def sources(stand_in: FakeService) -> None:
    stand_in.has("category", 125, [a_tag()])
    stand_in.has("release", 50, [a_tag()])
    stand_in.seriess = {"GNPCA": [{**a_series(), "popularity": 39}]}
    labels.save_labels(
        [
            Label(kind="release", number=50, name="Employment Situation"),
            Label(kind="release", number=192, name="Job Openings"),
            Label(kind="category", number=11, name="Job Losses"),
        ]
    )


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Employment Situation", "release:50"),
        ("employment situ", "release:50"),
        ("Employment Situation@2020-01-31", "release:50@2020-01-31"),
        ("Release 50", "release:50"),
        ("https://econweb.example.org/release/50/tags/?tag_group_id=geo", "release:50"),
        (
            "/release/50/tags/?realtime_start=2020-01-31&realtime_end=2020-01-31",
            "release:50@2020-01-31",
        ),
        ("/release/50/tags/?realtime_start=2020-01-31", "release:50"),
        ("https://data.example.org/release?rid=50", "release:50"),
        ("https://api.example.org/econ/release/tags?release_id=50", "release:50"),
    ],
)
def test_a_field_understands_a_name_and_an_address(client: Client, text: str, side: str) -> None:
    page = client.get("/compare/", {"a": "category:125", "b": text})

    assert canonical(page) == f"/compare/?a=category:125&b={side}"
    assert document(page).xpath("//input[@name='b']/@value") == [side]


@pytest.mark.parametrize("text", ["gnpca", "GNPCA", "https://data.example.org/series/GNPCA"])
def test_a_field_understands_a_series(client: Client, text: str) -> None:
    page = client.get("/compare/", {"a": text, "b": "series:GNPCA@2014-01-01"})

    assert canonical(page) == "/compare/?a=series:GNPCA&b=series:GNPCA@2014-01-01"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("51", "category:51 or release:51 or series:51"),
        ("job", "category:11 (Job Losses) or release:192 (Job Openings) or series:JOB"),
    ],
)
def test_a_text_that_may_mean_several_is_asked_about_and_stays(client: Client, text: str, meant: str) -> None:
    page = client.get("/compare/", {"a": "category:125", "b": text})

    assert page.status_code == 400
    assert f"b: “{text}” may mean {meant}. Write one of these." in alert(page)
    assert document(page).xpath("//input[@name='b']/@value") == [text]


def test_a_key_in_the_address_of_a_source_is_dropped_and_the_reader_is_told(client: Client) -> None:
    address = f"https://api.example.org/econ/release/tags?release_id=50&api_key={KEY}"
    answer = client.get("/compare/", {"a": "category:125", "b": address})

    assert answer["Location"] == "/compare/?a=category:125&b=release:50&notice=key"
    assert "held a key of the service" in alert(client.get(answer["Location"]))


@pytest.mark.parametrize("query", ["", "a=category:125&c=release:50"])
def test_two_fields_are_shown_and_more_on_demand(client: Client, query: str) -> None:
    folded = document(client.get(f"/compare/?{query}")).xpath("//details[summary='More sources']")[0]

    assert folded.xpath(".//input/@name") == ["c", "d", "e", "f"]
    assert not folded.xpath("self::*[@open]")


def test_the_fields_of_more_sources_are_open_when_one_holds_something(client: Client) -> None:
    page = client.get("/compare/?a=category:125&b=release:50&c=category:125@2020-01-31")

    assert document(page).xpath("//details[summary='More sources'][@open]")
