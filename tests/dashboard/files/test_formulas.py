"""B22: no CSV file has a cell that a spreadsheet runs as a formula."""

import csv
from dataclasses import replace
from io import StringIO

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.files.responses import TEXT_FORMATS
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from tests.dashboard.files.sheets import tag_sheet
from tests.search_index.recorded import record_tags, tag

pytestmark = pytest.mark.django_db
FORMULA = "=cmd+1"


@pytest.mark.parametrize(
    "path", [f"/search.csv?q={FORMULA}".replace("+", "%2B"), f"/tag/{FORMULA}.csv", "/browse/overview.csv"]
)
def test_csv_files_of_the_index_hold_no_formula(client: Client, path: str) -> None:
    title_index.add([Record("A", FORMULA, FORMULA, FORMULA, FORMULA)], title_index.FETCHED)
    save_labels([Label(kind="category", number=9, name=FORMULA)])
    record_tags("category", 9, [tag(FORMULA)], 10, timezone.now())
    cells = [cell for row in csv.reader(StringIO(client.get(path).getvalue().decode())) for cell in row]

    assert f"'{FORMULA}" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def _cells(text: str, separator: str) -> list[str]:
    return [cell for row in csv.reader(StringIO(text, newline=""), delimiter=separator) for cell in row]


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("between", ["", '"', '""', "'", "＝"])
def test_csv_line_split_at_another_separator_has_no_formula(separator: str, between: str) -> None:
    """Excel splits at the list separator of the country, which is `;` in Germany; line breaks end rows then, too."""
    formula = f"=cmd|'/c calc'!A0{separator}"
    text = "".join(f"x{sign}{between}{formula}" for sign in (";", "\t", "\r", "\n"))
    line = TEXT_FORMATS["csv"].line(tag_sheet([]))((1, text, f'"{text}"'))

    assert "=cmd" in line
    assert not [cell for cell in _cells(line, separator) if cell.startswith(("=", "＝"))]


@given(st.lists(st.lists(st.text("=x,\";'\t\r\n") | st.integers(0, 9), min_size=1, max_size=3), max_size=3))
def test_csv_lines_have_no_formula_at_any_separator(rows: list[list[str | int]]) -> None:
    write = TEXT_FORMATS["csv"].line(tag_sheet([]))
    text = "".join(write(row) for row in rows)

    assert not [cell for separator in ",;\t" for cell in _cells(text, separator) if cell.startswith("=")]


def test_csv_head_has_no_formula_at_another_separator() -> None:
    head = TEXT_FORMATS["csv"].head(replace(tag_sheet([]), metadata={"filters": "search_text: x;=1+1"}))

    assert "# filters,search_text: x;'=1+1\r\n" in head
