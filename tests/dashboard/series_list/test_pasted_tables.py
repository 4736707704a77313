"""Tables that are pasted from a spreadsheet: only the column of ids is read, and titles are no ids."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.search_box.pasted_ids import parse_ids
from tests.dashboard.reading import canonical, row_heads, words
from tests.processor_time import processor_seconds

HEADING = "Series ID\tTitle"
TABLE = f"{HEADING}\r\ngdp\tGross Domestic Product\r\n UNRATE \tUnemployment Rate\r\n"
LEFT_OUT = "The other columns of the pasted table are left out."

ids = st.lists(st.from_regex(r"[A-Z0-9_]{1,25}", fullmatch=True), unique=True, min_size=1, max_size=9)
word = st.from_regex(r"[A-Za-z]{1,9}", fullmatch=True)
title = st.lists(word, min_size=2, max_size=4).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, ("GDP", "UNRATE")),
        ("gdp\tGross Domestic Product", ("GDP",)),
        ("Gross Domestic Product\tgdp\nUnemployment Rate\tUNRATE", ("GDP", "UNRATE")),
        ("Consumer Price Index\t\tCPIAUCSL\n\t\tGDP", ("CPIAUCSL", "GDP")),
        ("GNPCA, GDPC1\ngdp\tGross Domestic Product", ("GNPCA", "GDPC1", "GDP")),
        # Rows and grids of single words, code with tabs before its lines, and tables without a column of ids.
        ("GDP\tUNRATE\nCPIAUCSL\tGNPCA", ("GDP", "UNRATE", "CPIAUCSL", "GNPCA")),
        ('c(\n\t"GDP", "UNRATE",\n\t"CPIAUCSL"\n)', ("GDP", "UNRATE", "CPIAUCSL")),
        ("A B\tC D\nE F\tG H", ("A", "B", "C", "D", "E", "F", "G", "H")),
    ],
)
def test_only_the_column_of_ids_is_read(text: str, expected: tuple[str, ...]) -> None:
    assert parse_ids(text) == (expected, ())


@given(ids, st.data(), st.booleans(), st.integers(0, 3))
def test_titles_beside_ids_are_no_ids(
    given_ids: list[str], data: st.DataObject, has_heading: bool, before: int
) -> None:
    rows = [[data.draw(title) for _ in range(before)] + [one, data.draw(title)] for one in given_ids]
    heading = [["Of a column"] * (before + 2)] if has_heading else []
    text = "\n".join("\t".join(row) for row in heading + rows)

    assert parse_ids(text) == (tuple(given_ids), ())


@given(st.lists(ids, min_size=1, max_size=5))
def test_grid_of_single_words_is_read_whole(rows: list[list[str]]) -> None:
    expected = tuple(dict.fromkeys(one for row in rows for one in row))

    assert parse_ids("\n".join("\t".join(row) for row in rows)) == (expected, ())


@given(st.text(alphabet="AB1 ,;|.()\n", max_size=60))
def test_text_without_tabs_is_read_as_one_line(text: str) -> None:
    assert parse_ids(text) == parse_ids(text.replace("\n", " "))


@pytest.mark.parametrize("part", ["\t", "a b\t", "a\tb c\n", "\n\t", "a b\n"])
def test_long_table_is_read_in_bounded_time(part: str) -> None:
    """O1: a text ten times as long takes about ten times as long, not a hundred times."""
    few, many = (processor_seconds(lambda n=n: parse_ids(part * n)) for n in (5_000, 50_000))  # type: ignore[misc]

    assert many < 50 * few


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(("path", "more"), [("/series/", {}), ("/check/", {"since": ""})])
@pytest.mark.parametrize("form", [{}, {"form": "plain"}])
def test_page_says_that_columns_are_left_out(
    client: Client, path: str, more: dict[str, str], form: dict[str, str]
) -> None:
    page = client.get(path, {"ids": TABLE, **more, **form}, follow=True)

    assert sorted(row_heads(page)) == ["GDP", "UNRATE"]
    assert canonical(page) == f"{path}?ids=GDP,UNRATE"
    assert words(page, "//main/p[@class='notice']") == [LEFT_OUT]
    assert not words(client.get(canonical(page)), "//main/p[@class='notice']")
