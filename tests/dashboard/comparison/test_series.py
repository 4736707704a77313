"""Descriptions of series side by side, their notes word by word."""

from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.comparison.series import MAX_DIFF_WORDS, compare_fields, diff_words
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import document, links, rows_of, words
from tests.dashboard.records import series_record
from tests.fake_service import FakeService
from tests.processor_time import processor_seconds

pytestmark = pytest.mark.django_db


def test_series_comparison_is_field_by_field() -> None:
    rows = compare_fields([series_record(), series_record(units="Old Dollars")])

    assert [row.name for row in rows if row.is_different] == ["units"]


@given(st.text(), st.text())
def test_series_comparison_keeps_both_notes_whole(older: str, newer: str) -> None:
    pieces = diff_words(older, newer)

    assert "".join(piece.words for piece in pieces if piece.kind != "ins") == older
    assert "".join(piece.words for piece in pieces if piece.kind != "del") == newer


def test_series_comparison_marks_changed_words_only() -> None:
    pieces = diff_words("Billions of 2009 dollars, annual.", "Billions of 2017 dollars, annual.")

    assert [(piece.kind, piece.words) for piece in pieces if piece.kind] == [
        ("del", "2009 "),
        ("ins", "2017 "),
    ]


@pytest.mark.parametrize("count", [MAX_DIFF_WORDS, MAX_DIFF_WORDS + 1])
def test_series_comparison_of_long_notes_takes_bounded_time(count: int) -> None:
    """O1: notes ten times as long take about ten times as long, not a hundred times."""
    pieces = diff_words("the " * count, "the " * (count - 1))

    def compare(words: int) -> None:
        diff_words("the " * words, "the " * (words - 1))

    assert "".join(piece.words for piece in pieces if piece.kind != "ins") == "the " * count
    assert processor_seconds(lambda: compare(count)) < 50 * processor_seconds(lambda: compare(count // 10))


def series_of(stand_in: FakeService) -> None:
    def record(**changes: Any) -> list[dict[str, Any]]:
        return [{**a_series(), "popularity": 39, **changes}]

    stand_in.seriess = {
        "GNPCA": record(notes="Old words."),
        "GDP": record(id="GDP", notes="New words.", units="<b>%"),
    }


def test_series_comparison_page_marks_differences(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP").text

    assert "<mark>Units</mark>" in page
    assert "<mark>Title</mark>" not in page
    assert "2 fields differ: Units, Notes." in " ".join(page.split())
    assert "&lt;b&gt;%" in page
    assert "<del>Old </del><ins>New </ins>words." in page


def test_series_comparison_does_not_mark_dates_that_were_asked_for(client: Client, stand_in: FakeService) -> None:
    """Two versions differ in their real-time dates by definition."""
    series_of(stand_in)
    stand_in.seriess["GDP"][0] |= {"realtime_start": "2014-01-01", "realtime_end": "2014-01-01"}
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert words(page, "//mark") == ["Units"]


def test_series_comparison_says_that_a_field_is_blank(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    stand_in.seriess["GDP"][0]["units"] = ""
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert words(page, "//tr[th[normalize-space()='Units']]/td")[1] == "blank"


def test_series_comparison_file_has_one_row_per_field(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    rows = {row["field"]: row for row in rows_of(client, "/compare.csv?a=series:GNPCA&b=series:GDP")}

    assert rows["units"] == {
        "field": "units",
        "a": "Billions of Chained 2009 Dollars",
        "b": "<b>%",
        "differs": "yes",
    }
    assert rows["title"]["differs"] == "no"


def test_series_comparison_file_counts_the_differences_of_the_page(client: Client, stand_in: FakeService) -> None:
    """Id and real-time dates were asked for: they differ without being a difference of the records."""
    series_of(stand_in)
    stand_in.seriess["GDP"][0] |= {"realtime_start": "2014-01-01"}
    rows = {row["field"]: row["differs"] for row in rows_of(client, "/compare.csv?a=series:GNPCA&b=series:GDP")}

    assert [name for name, differs in rows.items() if differs == "yes"] == ["units", "notes"]
    assert [name for name, differs in rows.items() if differs == "as asked"] == ["id", "realtime_start"]


def test_series_comparison_does_not_repeat_equal_notes(client: Client, stand_in: FakeService) -> None:
    """Equal notes stood under a heading that promised changes."""
    series_of(stand_in)
    stand_in.seriess["GDP"][0]["notes"] = "Old words."
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert words(page, "//section[@class='notes-compared']//h2") == ["Notes"]
    assert words(page, "//section[@class='notes-compared']//p") == ["The notes are the same."]
    assert "Old words." not in page.text


def test_series_comparison_heads_changed_notes_by_series(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    page = client.get("/compare/?a=series:GNPCA@2014-01-01&b=series:GNPCA&c=series:GDP")

    assert words(page, "//section[@class='notes-compared']//h2") == [
        "Notes, GNPCA on 2014-01-01 and GNPCA today",
        "Changes in the notes, GNPCA today to GDP",
    ]


def test_series_comparison_states_missing_notes(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    for series in stand_in.seriess.values():
        series[0]["notes"] = ""
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert words(page, "//section[@class='notes-compared']//p") == ["No notes."]


def test_series_comparison_names_dates_of_one_series(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    page = client.get("/compare/?a=series:GNPCA@2014-01-01&b=series:GNPCA")

    assert words(page, "//h1") == ["GNPCA on 2014-01-01 compared with GNPCA today"]
    assert words(page, "//th[@scope='col']") == ["Field", "GNPCA on 2014-01-01", "GNPCA today"]
    assert words(page, "//p[@class='summary']") == ["All fields are the same."]


def test_series_comparison_ignores_markup_of_notes(client: Client, stand_in: FakeService) -> None:
    series_of(stand_in)
    for series_id, year in (("GNPCA", 2009), ("GDP", 2017)):
        link = '<a href="https://data.example.org/national/">https://data.example.org/national/</a>'
        stand_in.seriess[series_id][0]["notes"] = f"See {link} of {year}"
    page = client.get("/compare/?a=series:GNPCA&b=series:GDP")

    assert words(page, "//section[@class='notes-compared']//p") == [
        "See https://data.example.org/national/ of 20092017"
    ]
    assert "&lt;a href" not in page.text
    linked = document(page).xpath("//section[@class='notes-compared']//p/a/@href")
    assert linked == ["https://data.example.org/national/"]


@pytest.mark.django_db(transaction=True)
def test_comparison_before_the_first_version_leads_to_it(client: Client, catalogue: Loader) -> None:
    """The page of the series names it, and the comparison said only that there is no record."""
    catalogue(series=[a_series(realtime_start="2013-01-01")])
    page = client.get("/compare/?a=series:GNPCA&b=series:GNPCA@2010-01-01")

    assert page.status_code == 404
    first = links(page)["GNPCA: the first version is of 2013-01-01"]
    assert first == "/compare/?a=series:GNPCA&b=series:GNPCA@2013-01-01"
    assert client.get(first).status_code == 200
