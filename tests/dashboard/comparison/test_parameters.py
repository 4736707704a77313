"""The link of a comparison, and what it says about a link that cannot be read."""

from datetime import date

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.comparison.forms import CompareForm
from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.sources import ComparedSource, find_sources
from econweb.dashboard.parameters import LETTERS
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from econweb.upstream.errors import NotInPeriod
from tests.dashboard.reading import alert, document, links
from tests.fake_service import FakeService

pytestmark = pytest.mark.django_db

sources = st.builds(
    ComparedSource,
    st.sampled_from(["category", "release"]),
    st.integers(0, 999_999_999).map(str),
    st.none() | st.dates(date(1776, 7, 4), date(2025, 12, 31)),
)
queries = st.builds(
    lambda found, only, order: CompareQuery(dict(zip(LETTERS, found, strict=False)), "geo", only, order, "asc", 100),
    st.lists(sources, min_size=2, max_size=6),
    st.sampled_from(["", "all", "a", "b"]),
    st.sampled_from(["a", "b", "name", "difference", "ratio", "spread"]),
)


@given(queries)
def test_comparison_link_round_trips(query: CompareQuery) -> None:
    form = CompareForm(QueryDict(query.query_string()))

    assert form.is_valid(), form.errors
    assert form.query() == query


def test_series_and_lists_have_labels_without_names() -> None:
    labels = [ComparedSource(kind, ids).label for kind, ids in (("series", "GNPCA"), ("list", "A,B,C,D"))]

    assert labels == ["Series GNPCA", "Series list A, B, C …"]


@pytest.mark.parametrize(
    "text",
    [
        "category:x",
        "tag:1",
        "GDP, UNRATE",
        "series:a-b",
        "category:1@soon",
        "category:1@2020-02-30",
        "category:1@9000-01-01",
        "category:1@1700-01-01",
    ],
)
def test_comparison_keeps_invalid_source_in_field_with_error(client: Client, text: str) -> None:
    page = client.get("/compare/", {"a": text, "b": "category:1"})

    assert page.status_code == 400
    assert "First: " in alert(page)
    assert document(page).xpath("//input[@name='a' or @name='b']/@value") == [text, "category:1"]


def test_comparison_rejects_repeated_source(client: Client) -> None:
    page = client.get("/compare/?a=category:1&b=category:2&b=category:3")

    assert page.status_code == 400
    assert "The link has two different values for “b”. Keep one." in alert(page)


def test_comparison_rejects_series_with_category(client: Client) -> None:
    page = client.get("/compare/?a=category:1&b=series:GDP")

    assert "Compare a series with a series, or a category or release with another one." in alert(page)


def test_comparison_beside_a_series_reads_a_name_as_the_title_of_a_series(client: Client) -> None:
    """The name may be that of a category too, in either field; two series with the title are a choice."""
    save_labels([Label(kind="category", number=32447, name="Unemployment Rate")])
    title_index.add([Record("UNRATE", "Unemployment Rate"), Record("U6", "Total unemployment")], title_index.FETCHED)

    for query in ("a=unemployment+rate@2014-01-01&b=series:U6", "a=series:U6&b=Unemployment+Rate@2014-01-01"):
        sources = CompareForm(QueryDict(query)).query().sources.values()
        assert {str(one) for one in sources} == {"series:UNRATE@2014-01-01", "series:U6"}
    title_index.add([Record("UNRATENSA", "Unemployment Rate")], title_index.FETCHED)
    page = client.get("/compare/?a=Unemployment+Rate&b=series:U6")
    assert {"Series UNRATE, Unemployment Rate", "Series UNRATENSA, Unemployment Rate"} <= {*links(page)}
    sources = CompareForm(QueryDict("a=Unemployment+Rate&b=category:1")).query().sources.values()
    assert {str(one) for one in sources} == {"category:32447", "category:1"}


@pytest.mark.parametrize("query", ["", "?a=category:125"])
def test_comparison_of_fewer_than_two_sources_shows_form(client: Client, query: str) -> None:
    page = client.get(f"/compare/{query}")

    assert page.status_code == 200
    assert all(f'name="{letter}"' in page.text for letter in LETTERS)


def test_comparison_url_removes_api_key(client: Client) -> None:
    answer = client.get(f"/compare/?a=category:1&b=category:2&api_key={'k' * 32}")

    assert answer["Location"] == "/compare/?a=category:1&b=category:2&notice=key"


def test_comparison_form_with_one_source_warns_of_removed_key(client: Client) -> None:
    assert "contained an API key" in alert(client.get("/compare/?a=category:1&notice=key"))


def test_comparison_number_has_one_spelling() -> None:
    assert find_sources("category 0125") == find_sources("category:125")


def test_comparison_form_error_redirects_to_canonical_link_with_input(client: Client) -> None:
    """The address of a wrong form was full of empty parameters."""
    form = {
        "form": "plain",
        "a": "tag:1",
        "a_date": "",
        "b": "category:1",
        "b_date": "2014-01-01",
        "c": "",
        "f_date": "",
    }
    answer = client.get("/compare/", form)
    page = client.get(answer["Location"])

    assert answer["Location"] == "/compare/?a=tag:1&b=category:1&b_date=2014-01-01"
    assert page.status_code == 400
    assert [field.get("value", "") for field in document(page).xpath("(//fieldset)[1]//input")] == ["tag:1", ""]
    assert document(page).xpath("(//fieldset)[2]//input/@value") == ["category:1", "2014-01-01"]
    assert document(page).xpath("//input[@aria-invalid='true']/@name") == ["a"]


def test_comparison_form_error_keeps_key_out_of_url(client: Client) -> None:
    key = "k" * 32
    answer = client.get("/compare/", {"form": "plain", "a": f"https://api.example.org/econ/x?api_key={key}", "b": ""})

    assert key not in answer["Location"]
    assert "notice=key" in answer["Location"]


def test_comparison_with_a_day_without_record_keeps_the_form(client: Client, stand_in: FakeService) -> None:
    """It advised another period, and had no field for one; the view of today compared a thing with itself."""
    stand_in.error = NotInPeriod("There is no record in that period.", is_explicit=True)
    page = client.get("/compare/?a=series:GNPCA&b_date=1900-01-01", follow=True)

    assert page.status_code == 404
    fields = document(page).xpath("(//fieldset)[position() < 3]//input")
    assert [field.get("value", "") for field in fields] == ["GNPCA", "1900-01-01", "GNPCA", ""]
    assert "See it as of today" not in links(page)
    assert "As of today" not in client.get("/compare.csv?a=series:GNPCA@1900-01-01&b=series:GNPCA").text


def test_comparison_of_two_things_without_record_leads_to_today(client: Client, stand_in: FakeService) -> None:
    stand_in.error = NotInPeriod("There is no record in that period.", is_explicit=True)
    page = client.get("/compare/?a=series:GNPCA@1900-01-01&b=series:GDP")

    assert links(page)["See it as of today"] == "/compare/?a=series:GNPCA&b=series:GDP"


def test_comparison_of_today_does_not_lead_to_itself(client: Client, stand_in: FakeService) -> None:
    stand_in.seriess = {"GNPCA": [], "GDP": []}
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert page.status_code == 404
    assert "has no record of GNPCA today" in page.text
    assert "See it as of today" not in links(page)
