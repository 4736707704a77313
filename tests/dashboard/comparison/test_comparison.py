"""Sources side by side: what is in all, what only here, and how much of it."""

from datetime import date
from itertools import permutations

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.comparison.query import LETTERS, ComparedSource, CompareForm, CompareQuery, parse_source
from tests.dashboard.reading import alert, canonical, document, rows_of, words
from tests.fake_service import FakeService, a_tag

sides = st.builds(
    ComparedSource,
    st.sampled_from(["category", "release"]),
    st.integers(0, 999_999_999).map(str),
    st.none() | st.dates(date(1776, 7, 4), date(2025, 12, 31)),
)
queries = st.builds(
    lambda found, only, order: CompareQuery(dict(zip(LETTERS, found, strict=False)), "geo", only, order, "asc", 100),
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
        "GDP, UNRATE",
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
    assert parse_source("category 0125") == parse_source("category:125")


pytestmark = pytest.mark.django_db

# --- Tags --------------------------------------------------------------------------------------------------


@pytest.fixture
def two(stand_in: FakeService) -> FakeService:
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


def test_counts_shares_difference_and_ratio_stand_side_by_side(client: Client, two: FakeService) -> None:
    (usa,) = [row for row in rows_of(client, f"/compare.csv?{LINK}") if row["name"] == "usa"]

    assert usa == {
        "name": "usa",
        "group_id": "geo",
        "a_series_count": "80",
        "b_series_count": "10",
        "a_share": "0.8",
        "b_share": "0.2",
        "difference_points": "-60.0",
        "ratio_of_shares": "0.25",
    }


def test_what_is_all_of_both_does_not_differ_however_many_series_there_are(client: Client, two: FakeService) -> None:
    (annual,) = [row for row in rows_of(client, f"/compare.csv?{LINK}") if row["name"] == "annual"]

    assert (annual["a_series_count"], annual["b_series_count"]) == ("100", "50")
    assert (annual["difference_points"], annual["ratio_of_shares"]) == ("0.0", "1.0")


def test_shares_and_ratios_of_a_file_have_four_decimals(client: Client, stand_in: FakeService) -> None:
    for number, count in ((1, 1), (2, 2)):
        whole = [
            a_tag("annual", group_id="freq", series_count=39),
            a_tag("nsa", group_id="seas", series_count=39),
        ]
        stand_in.has("category", number, [*whole, a_tag("usa", series_count=count)])
    (usa,) = [row for row in rows_of(client, "/compare.csv?a=category:1&b=category:2") if row["name"] == "usa"]

    assert (usa["a_share"], usa["b_share"]) == ("0.0256", "0.0513")
    assert (usa["difference_points"], usa["ratio_of_shares"]) == ("2.56", "2.0")


def test_where_a_share_is_not_known_counts_are_compared(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("usa", series_count=3), a_tag("peru", series_count=8)])
    stand_in.has("category", 2, [a_tag("usa", series_count=12)])
    link = "a=category:1&b=category:2&order_by=difference"
    page = client.get(f"/compare/?{link}")

    assert [
        (row["name"], row["difference_series_count"], row["ratio_of_series_counts"])
        for row in rows_of(client, f"/compare.csv?{link}")
    ] == [("usa", "9", "4.0"), ("peru", "-8", "")]
    assert words(page, "//th[@scope='col']")[-2:] == ["b − a", "b : a"]
    assert words(page, "//tbody/tr[1]/td")[-2:] == ["+9", "4.00"]


def test_the_heads_of_difference_and_ratio_say_what_they_are_of(client: Client, two: FakeService) -> None:
    heads = document(client.get(f"/compare/?{LINK}")).xpath("//th[@scope='col']/a[@title]")

    assert {head.text: head.get("title") for head in heads} == {
        "b − a, points": "Difference of shares, b − a, points",
        "b : a": "Ratio of shares, b : a",
    }


def test_the_cells_of_a_tag_on_one_side_say_so(client: Client, two: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}&order_by=name&sort_order=asc")

    assert [words(page, f"//tbody/tr[{at}]/td")[-2:] for at in (2, 4, 5)] == [
        ["−20.0", "only a"],
        ["+80.0", "only b"],
        ["−60.0", "0.25"],
    ]


def test_what_neither_the_first_nor_the_last_has_comes_last_by_ratio(client: Client, two: FakeService) -> None:
    between = [
        a_tag("annual", group_id="freq", series_count=9),
        a_tag("nsa", group_id="seas", series_count=9),
    ]
    two.has("category", 7, [*between, a_tag("chile", series_count=9), a_tag("peru", series_count=9)])
    link = "a=category:125&b=category:7&c=release:51&order_by=ratio"
    page = client.get(f"/compare/?{link}")

    assert words(page, "//tbody//th") == ["peru", "annual", "nsa", "usa", "japan", "chile"]
    assert words(page, "//tbody/tr/td[last()]") == ["—", "1.00", "1.00", "0.25", "only a", "only b"]


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("", ["annual", "japan", "nsa", "peru", "usa"]),
        ("all", ["annual", "nsa", "usa"]),
        ("a", ["japan"]),
        ("b", ["peru"]),
    ],
)
def test_tags_in_all_and_only_here(client: Client, two: FakeService, only: str, names: list[str]) -> None:
    rows = rows_of(client, f"/compare.csv?{LINK}&only={only}&order_by=name&sort_order=asc")

    assert [row["name"] for row in rows] == names


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("order_by=a&sort_order=desc", ["annual", "nsa", "usa", "japan", "peru"]),
        ("order_by=b&sort_order=asc", ["usa", "peru", "annual", "nsa", "japan"]),
        ("order_by=difference&sort_order=asc", ["usa", "japan", "annual", "nsa", "peru"]),
        ("order_by=difference&sort_order=desc", ["peru", "annual", "nsa", "japan", "usa"]),
        ("order_by=ratio&sort_order=desc", ["peru", "annual", "nsa", "usa", "japan"]),
        ("order_by=ratio&sort_order=asc", ["japan", "usa", "annual", "nsa", "peru"]),
    ],
)
def test_a_comparison_sorts_and_a_tag_on_one_side_is_at_an_end_of_the_ratios(
    client: Client, two: FakeService, order: str, names: list[str]
) -> None:
    assert [row["name"] for row in rows_of(client, f"/compare.csv?{LINK}&{order}")] == names


@pytest.mark.parametrize("order", list(permutations(["a=category/0125", "b=release:51", "only=all", "order_by=a"])))
def test_parameters_in_any_order_have_one_canonical_link(
    client: Client, two: FakeService, order: tuple[str, ...]
) -> None:
    page = client.get(f"/compare/?{'&'.join(order)}&offset=0")

    assert canonical(page) == f"/compare/?{LINK}&only=all"


def test_a_group_narrows_it(client: Client, two: FakeService) -> None:
    assert {row["group_id"] for row in rows_of(client, f"/compare.csv?{LINK}&tag_group_id=geo")} == {"geo"}


def test_the_page_says_that_counts_are_approximate_and_draws_a_picture(client: Client, two: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}").text

    assert "Counts are approximate" in page
    assert page.count("<ellipse ") == 6
    assert ">ab</text>" in page
    assert "only in a <b>1</b>" in page
    assert page.count("<table") == 1


def test_the_picture_says_what_it_shows_and_on_what_scale(client: Client, two: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}&order_by=name&sort_order=asc")
    marks = document(page).xpath("//figure//*[@class='mark']")

    assert words(page, "//figcaption") == ["Share of series with each tag; letters are the sources"]
    assert [mark.text for mark in marks] == ["ab", "a", "ab", "b", "a", "b", "0%", "100%"]
    at = {mark.text: float(mark.get("x")) for mark in marks}
    assert at["ab"] == at["100%"]
    assert float(marks[1].get("x")) == at["0%"] + (at["100%"] - at["0%"]) / 5


def test_the_picture_of_counts_reaches_to_the_largest(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("usa", series_count=3), a_tag("peru", series_count=1200)])
    stand_in.has("category", 2, [a_tag("usa", series_count=12)])
    page = client.get("/compare/?a=category:1&b=category:2")

    assert words(page, "//figcaption") == ["Series with each tag; letters are the sources"]
    assert words(page, "//figure//*[@class='mark']")[-2:] == ["0", "1,200"]


def test_one_source_on_two_days_is_asked_for_each_day(client: Client, two: FakeService) -> None:
    client.get("/compare/?a=category:125@2020-01-01&b=category:125")

    days = [parameters.get("realtime_start") for _, parameters in two.asked]
    assert days == ["2020-01-01", None]


def test_an_unknown_source_is_named(client: Client, two: FakeService) -> None:
    page = client.get("/compare/?a=category:125&b=release:999")

    assert page.status_code == 404
    assert "Release 999: The release does not exist." in alert(page)
