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
from tests.dashboard.reading import alert, document

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
