"""Sources side by side: what is in all, what only here, and how much of it."""

import csv
from datetime import date
from itertools import permutations
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.compare_query import LETTERS, CompareForm, CompareQuery, Side, side_in
from econweb.dashboard.compare_series import MOST_WORDS, field_by_field, word_by_word
from tests.builders import a_series
from tests.dashboard.reading import alert, canonical, document
from tests.dashboard.records import series_record
from tests.stand_in import StandIn, a_tag

sides = st.builds(
    Side,
    st.sampled_from(["category", "release"]),
    st.integers(0, 10**15 - 1).map(str),
    st.none() | st.dates(date(1776, 7, 4), date(2025, 12, 31)),
)
queries = st.builds(
    lambda found, only, order: CompareQuery(
        dict(zip(LETTERS, found, strict=False)), "geo", only, order, "asc", 100
    ),
    st.lists(sides, min_size=2, max_size=6),
    st.sampled_from(["", "all", "a", "b"]),
    st.sampled_from(["a", "b", "name", "difference", "ratio"]),
)


@given(queries)
def test_a_link_read_back_is_the_same_comparison(query: CompareQuery) -> None:
    form = CompareForm(QueryDict(query.link()))

    assert form.is_valid(), form.errors
    assert form.query() == query


@pytest.mark.parametrize(
    "text",
    [
        "category:x",
        "tag:1",
        "category",
        "series:a-b",
        "category:1@soon",
        "category:1@2020-02-30",
        "category:1@9000-01-01",
        "category:1@1700-01-01",
    ],
)
def test_what_is_no_source_is_told_and_stays_in_its_field(client: Client, text: str) -> None:
    page = client.get("/compare/", {"a": text, "b": "category:1"})

    assert page.status_code == 400
    assert "a: " in alert(page)
    assert document(page).xpath("//input[@name='a' or @name='b']/@value") == [text, "category:1"]


def test_a_source_given_twice_is_told(client: Client) -> None:
    page = client.get("/compare/?a=category:1&b=category:2&b=category:3")

    assert page.status_code == 400
    assert "b is given more than once" in alert(page)


def test_a_series_and_a_category_cannot_be_compared(client: Client) -> None:
    assert "Tags are compared with tags" in client.get("/compare/?a=category:1&b=series:GDP").text


@pytest.mark.parametrize("query", ["", "?a=category:125"])
def test_fewer_than_two_sources_are_a_form(client: Client, query: str) -> None:
    page = client.get(f"/compare/{query}")

    assert page.status_code == 200
    assert all(f'name="{letter}"' in page.text for letter in LETTERS)


def test_a_key_in_the_address_is_dropped(client: Client) -> None:
    answer = client.get(f"/compare/?a=category:1&b=category:2&api_key={'k' * 32}")

    assert answer["Location"] == "/compare/?a=category:1&b=category:2&notice=key"


def test_a_form_with_one_source_warns_of_a_dropped_key_too(client: Client) -> None:
    assert "held a key" in alert(client.get("/compare/?a=category:1&notice=key"))


def test_a_number_has_one_spelling() -> None:
    assert side_in("category 0125") == side_in("category:125")


pytestmark = pytest.mark.django_db

# --- Tags --------------------------------------------------------------------------------------------------


@pytest.fixture
def two(stand_in: StandIn) -> StandIn:
    of_100 = [
        a_tag("annual", group_id="freq", series_count=100),
        a_tag("nsa", group_id="seas", series_count=100),
    ]
    of_50 = [
        a_tag("annual", group_id="freq", series_count=50),
        a_tag("nsa", group_id="seas", series_count=50),
    ]
    stand_in.has("category", 125, [*of_100, a_tag("usa", series_count=80), a_tag("japan", series_count=20)])
    stand_in.has("release", 51, [*of_50, a_tag("usa", series_count=10), a_tag("peru", series_count=40)])
    return stand_in


LINK = "a=category:125&b=release:51"


def rows_of(client: Client, query: str) -> list[dict[str, str]]:
    text = client.get(f"/compare.csv?{query}").getvalue().decode()
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def test_counts_shares_difference_and_ratio_stand_side_by_side(client: Client, two: StandIn) -> None:
    (usa,) = [row for row in rows_of(client, LINK) if row["name"] == "usa"]

    assert usa == {
        "name": "usa",
        "group_id": "geo",
        "a_series_count": "80",
        "b_series_count": "10",
        "a_share": "0.8",
        "b_share": "0.2",
        "difference": "-70",
        "ratio": "0.25",
    }


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("", ["annual", "japan", "nsa", "peru", "usa"]),
        ("all", ["annual", "nsa", "usa"]),
        ("a", ["japan"]),
        ("b", ["peru"]),
    ],
)
def test_tags_in_all_and_only_here(client: Client, two: StandIn, only: str, names: list[str]) -> None:
    rows = rows_of(client, f"{LINK}&only={only}&order_by=name&sort_order=asc")

    assert [row["name"] for row in rows] == names


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("order_by=a&sort_order=desc", ["annual", "nsa", "usa", "japan", "peru"]),
        ("order_by=b&sort_order=asc", ["usa", "peru", "annual", "nsa", "japan"]),
        ("order_by=difference&sort_order=asc", ["usa", "annual", "nsa", "japan", "peru"]),
        ("order_by=ratio&sort_order=desc", ["annual", "nsa", "usa", "japan", "peru"]),
    ],
)
def test_a_comparison_sorts_and_what_is_missing_comes_last(
    client: Client, two: StandIn, order: str, names: list[str]
) -> None:
    assert [row["name"] for row in rows_of(client, f"{LINK}&{order}")] == names


@pytest.mark.parametrize(
    "order", list(permutations(["a=category/0125", "b=release:51", "only=all", "order_by=a"]))
)
def test_parameters_in_any_order_have_one_canonical_link(
    client: Client, two: StandIn, order: tuple[str, ...]
) -> None:
    page = client.get(f"/compare/?{'&'.join(order)}&offset=0")

    assert canonical(page) == f"/compare/?{LINK}&only=all"


def test_a_group_narrows_it(client: Client, two: StandIn) -> None:
    assert {row["group_id"] for row in rows_of(client, f"{LINK}&tag_group_id=geo")} == {"geo"}


def test_the_page_says_that_counts_are_approximate_and_draws_a_picture(client: Client, two: StandIn) -> None:
    page = client.get(f"/compare/?{LINK}").text

    assert "Counts of two replies are approximate" in page
    assert page.count("<ellipse ") == 6
    assert ">ab</text>" in page
    assert "only in a <b>1</b>" in page
    assert page.count("<table") == 1


def test_one_source_on_two_days_is_asked_for_each_day(client: Client, two: StandIn) -> None:
    client.get("/compare/?a=category:125@2020-01-01&b=category:125")

    days = [parameters.get("realtime_start") for _, parameters in two.asked]
    assert days == ["2020-01-01", None]


def test_an_unknown_source_is_named(client: Client, two: StandIn) -> None:
    page = client.get("/compare/?a=category:125&b=release:999")

    assert page.status_code == 404
    assert "release:999: The release does not exist." in page.text


# --- Series ------------------------------------------------------------------------------------------------


def test_two_descriptions_are_compared_field_by_field() -> None:
    rows = field_by_field([series_record(), series_record(units="Old Dollars")])

    assert [row.name for row in rows if row.differs] == ["units"]


@given(st.text(), st.text())
def test_both_notes_can_be_read_out_of_the_comparison(older: str, newer: str) -> None:
    pieces = word_by_word(older, newer)

    assert "".join(piece.words for piece in pieces if piece.kind != "ins") == older
    assert "".join(piece.words for piece in pieces if piece.kind != "del") == newer


def test_only_the_words_that_changed_are_marked() -> None:
    pieces = word_by_word("Billions of 2009 dollars, annual.", "Billions of 2017 dollars, annual.")

    assert [(piece.kind, piece.words) for piece in pieces if piece.kind] == [
        ("del", "2009 "),
        ("ins", "2017 "),
    ]


@pytest.mark.parametrize("count", [MOST_WORDS, MOST_WORDS + 1])
@pytest.mark.timeout(10)
def test_notes_of_any_length_are_compared_in_time(count: int) -> None:
    pieces = word_by_word("the " * count, "the " * (count - 1))

    assert "".join(piece.words for piece in pieces if piece.kind != "ins") == "the " * count


def series_of(stand_in: StandIn) -> None:
    def record(**changes: Any) -> list[dict[str, Any]]:
        return [{**a_series(), "popularity": 39, **changes}]

    stand_in.seriess = {
        "GNPCA": record(notes="Old words."),
        "GDP": record(id="GDP", notes="New words.", units="<b>%"),
    }


def test_the_page_of_two_series_marks_what_differs(client: Client, stand_in: StandIn) -> None:
    series_of(stand_in)
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP").text

    assert "<mark>Units</mark>" in page
    assert "<mark>Title</mark>" not in page
    assert "&lt;b&gt;%" in page
    assert "<del>Old </del><ins>New </ins>words." in page


def test_the_file_of_two_series_has_a_row_for_each_field(client: Client, stand_in: StandIn) -> None:
    series_of(stand_in)
    rows = {row["field"]: row for row in rows_of(client, "a=series:GNPCA&b=series:GDP")}

    assert rows["units"] == {
        "field": "units",
        "a": "Billions of Chained 2009 Dollars",
        "b": "<b>%",
        "differs": "yes",
    }
    assert rows["title"]["differs"] == "no"
