"""Comparison of sources: shared tags, tags of one source, and counts."""

import json
from itertools import permutations

import pytest
from django.test import Client

from tests.dashboard.reading import alert, canonical, document, rows_of, words
from tests.fake_service import FakeService, a_tag

pytestmark = pytest.mark.django_db


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


@pytest.fixture
def three(two: FakeService) -> str:
    between = [
        a_tag("annual", group_id="freq", series_count=9),
        a_tag("nsa", group_id="seas", series_count=9),
    ]
    two.has("category", 7, [*between, a_tag("chile", series_count=9), a_tag("peru", series_count=9)])
    return "a=category:125&b=category:7&c=release:51"


LINK = "a=category:125&b=release:51"


def test_pages_say_why_they_leave_out_shares(client: Client, two: FakeService) -> None:
    two.has("category", 7, [a_tag("annual", group_id="freq", series_count=7), a_tag("nsa", group_id="seas")])
    reason = "frequencies and adjustments do not add up to the largest count"
    link = "a=category:125&b=category:7"
    without, others = client.get(f"/compare/?{link}"), client.get(f"/compare/?{LINK}")
    file = json.loads(client.get(f"/compare.json?{link}").getvalue())
    tags, found = client.get("/category/7/tags/"), client.get("/category/125/tags/")

    note = f"Shares are left out: of Category 7, {reason}."
    assert note in words(without, "//p[@class='summary']")[0]
    assert note in file["about"]["note"]
    assert f"without shares, since {reason}" in words(tags, "//p[@class='facts']")[-1]
    assert "leave out shares" in " ".join(words(client.get("/help/"), "//main//p"))
    for page in (others, found, client.get("/category/7/tags/?search_text=annual")):
        assert reason not in page.text


def test_comparison_table_has_counts_shares_difference_and_ratio(client: Client, two: FakeService) -> None:
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


def test_comparison_of_equal_shares_has_no_difference(client: Client, two: FakeService) -> None:
    (annual,) = [row for row in rows_of(client, f"/compare.csv?{LINK}") if row["name"] == "annual"]

    assert (annual["a_series_count"], annual["b_series_count"]) == ("100", "50")
    assert (annual["difference_points"], annual["ratio_of_shares"]) == ("0.0", "1.0")


def test_comparison_file_has_four_decimals(client: Client, stand_in: FakeService) -> None:
    for number, count in ((1, 1), (2, 2)):
        whole = [
            a_tag("annual", group_id="freq", series_count=39),
            a_tag("nsa", group_id="seas", series_count=39),
        ]
        stand_in.has("category", number, [*whole, a_tag("usa", series_count=count)])
    (usa,) = [row for row in rows_of(client, "/compare.csv?a=category:1&b=category:2") if row["name"] == "usa"]

    assert (usa["a_share"], usa["b_share"]) == ("0.0256", "0.0513")
    assert (usa["difference_points"], usa["ratio_of_shares"]) == ("2.56", "2.0")


def test_comparison_uses_counts_if_shares_are_unknown(client: Client, stand_in: FakeService) -> None:
    stand_in.has("category", 1, [a_tag("usa", series_count=3), a_tag("peru", series_count=8)])
    stand_in.has("category", 2, [a_tag("usa", series_count=12)])
    link = "a=category:1&b=category:2&order_by=difference"
    page = client.get(f"/compare/?{link}")

    assert [
        (row["name"], row["difference_series_count"], row["ratio_of_series_counts"])
        for row in rows_of(client, f"/compare.csv?{link}")
    ] == [("usa", "9", "4.0"), ("peru", "-8", "")]
    assert words(page, "//th[@scope='col']")[-2:] == ["Difference", "Ratio"]
    assert words(page, "//tbody/tr[1]/td")[-2:] == ["+9", "4.00"]


def test_comparison_headers_name_what_differs(client: Client, two: FakeService) -> None:
    heads = document(client.get(f"/compare/?{LINK}")).xpath("//th[@scope='col']/a[contains(@title, 'share')]")

    assert {head.text: str(head.get("title")).partition(". Sort")[0] for head in heads} == {
        "Difference (points)": "Difference: share in Release 51 minus share in Category 125",
        "Ratio": "Ratio: share in Release 51 divided by share in Category 125",
    }


@pytest.mark.parametrize(
    ("earlier", "later", "word"), [("@2020-01-01", "", "Change"), ("", "@2020-01-01", "Difference")]
)
def test_comparison_of_one_thing_on_two_days_shows_its_change(
    client: Client, two: FakeService, earlier: str, later: str, word: str
) -> None:
    page = client.get(f"/compare/?a=category:125{earlier}&b=category:125{later}")

    assert words(page, "//th[@scope='col']")[-2] == f"{word} (points)"


def test_comparison_row_names_the_only_source_of_its_tag(client: Client, two: FakeService) -> None:
    page = client.get(f"/compare/?{LINK}&order_by=name&sort_order=asc")

    assert [words(page, f"//tbody/tr[{at}]/td")[-2:] for at in (2, 4, 5)] == [
        ["−20.0", "only in Category 125"],
        ["+80.0", "only in Release 51"],
        ["−60.0", "0.25"],
    ]


@pytest.mark.parametrize("only", ["a", "b"])
def test_comparison_has_no_column_of_ratios_that_no_row_has(client: Client, two: FakeService, only: str) -> None:
    page = client.get(f"/compare/?{LINK}&only={only}")

    assert words(page, "//th[@scope='col']")[2:] == ["Category 125", "Release 51", "Difference (points)"]
    assert len(words(page, "//tbody/tr[1]/td")) == 4


def test_comparison_by_ratio_puts_tags_without_ratio_last(client: Client, three: str) -> None:
    page = client.get(f"/compare/?{three}&order_by=ratio")

    assert words(page, "//tbody//th") == ["peru", "annual", "nsa", "usa", "japan", "chile"]


def test_comparison_of_three_sources_has_one_spread_column(client: Client, three: str) -> None:
    """Difference and ratio compared the last source with the first only."""
    page = client.get(f"/compare/?{three}&order_by=spread")

    assert words(page, "//th[@scope='col']") == [
        *("Tag", "Group", "Category 125", "Category 7", "Release 51", "Spread (points)")
    ]
    assert dict(zip(words(page, "//tbody//th"), words(page, "//tbody/tr/td[last()]"), strict=True)) == {
        "chile": "100.0",
        "peru": "100.0",
        "usa": "80.0",
        "japan": "20.0",
        "annual": "0.0",
        "nsa": "0.0",
    }


def test_file_of_three_sources_has_the_column_by_which_it_is_sorted(client: Client, three: str) -> None:
    rows = rows_of(client, f"/compare.csv?{three}&order_by=spread")

    assert [row["spread"] for row in rows] == ["100.0", "100.0", "80.0", "20.0", "0.0", "0.0"]


@pytest.mark.parametrize(
    ("only", "names"),
    [
        ("", ["annual", "japan", "nsa", "peru", "usa"]),
        ("all", ["annual", "nsa", "usa"]),
        ("a", ["japan"]),
        ("b", ["peru"]),
    ],
)
def test_comparison_filters_tags_by_presence(client: Client, two: FakeService, only: str, names: list[str]) -> None:
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
def test_comparison_by_ratio_puts_tags_of_one_source_first_or_last(
    client: Client, two: FakeService, order: str, names: list[str]
) -> None:
    assert [row["name"] for row in rows_of(client, f"/compare.csv?{LINK}&{order}")] == names


@pytest.mark.parametrize("order", list(permutations(["a=category/0125", "b=release:51", "only=all", "order_by=a"])))
def test_parameters_in_any_order_have_one_canonical_link(
    client: Client, two: FakeService, order: tuple[str, ...]
) -> None:
    page = client.get(f"/compare/?{'&'.join(order)}&offset=0")

    assert canonical(page) == f"/compare/?{LINK}&only=all"


def test_comparison_is_filtered_by_group(client: Client, two: FakeService) -> None:
    assert {row["group_id"] for row in rows_of(client, f"/compare.csv?{LINK}&tag_group_id=geo")} == {"geo"}


def test_comparison_of_two_dates_requests_each_date(client: Client, two: FakeService) -> None:
    client.get("/compare/?a=category:125@2020-01-01&b=category:125")

    days = [parameters.get("realtime_start") for _, parameters in two.asked]
    assert days == ["2020-01-01", None]


def test_comparison_names_unknown_source(client: Client, two: FakeService) -> None:
    page = client.get("/compare/?a=category:125&b=release:999")

    assert page.status_code == 404
    assert "Release 999: The release does not exist." in alert(page)


def test_sources_and_the_note_stand_below_the_table_and_the_picture_after_them(
    client: Client, two: FakeService
) -> None:
    page = client.get(f"/compare/?{LINK}").text

    parts = ('class="summary"', "<table", 'class="compared-sources"', 'class="dot-plot"')
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_comparison_on_one_page_has_no_pager(client: Client, two: FakeService) -> None:
    assert 'aria-label="Pages"' not in client.get(f"/compare/?{LINK}").text
