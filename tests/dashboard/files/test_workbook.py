"""The texts of cells at their limit, and the names under which files are saved."""

import io
import re
from typing import Any

import pytest
from openpyxl import load_workbook

from econweb.dashboard.files.excel_format import MAX_CELL_LENGTH
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import file_response
from econweb.dashboard.files.sheet import MAX_FILE_NAME, file_name
from tests.dashboard.files.sheets import tag_sheet

# To close an answer looks at the connection, if there is one.
pytestmark = pytest.mark.django_db


def written_notes(text: str) -> str:
    response: Any = file_response(tag_sheet([("a", "b", text, "", 1, 2)]), "xlsx")
    book = load_workbook(io.BytesIO(response.getvalue()))
    response.close()
    return str(book["tags"]["C2"].value)


@pytest.mark.parametrize("text", ["w" * 20_000, "w" * 32_767, "🙂" * 16_383 + "w"], ids=["half", "full", "wide"])
def test_text_that_fits_into_a_cell_is_whole(text: str) -> None:
    assert written_notes(text) == text


def test_text_that_is_too_long_fills_the_cell() -> None:
    written = written_notes("w" * 32_768)

    assert len(written) == MAX_CELL_LENGTH == 32_767
    assert re.fullmatch(r"w+ \[cut here: a cell holds no more\]", written)


def test_workbook_has_a_sheet_about_its_rows() -> None:
    response: Any = file_response(tag_sheet([("a", "b", "", "", 1, 2)]), "xlsx")
    book = load_workbook(io.BytesIO(response.getvalue()))
    response.close()
    rows, about = book["tags"], book["about"]

    assert about["A1"].value == "title"
    assert about["B1"].value == tag_sheet([]).title
    assert [row[0].font.bold for row in about.iter_rows()] == [True] * about.max_row
    assert [about.column_dimensions[letter].width > 15 for letter in "AB"] == [True, True]
    assert (rows.freeze_panes, rows["A1"].font.bold, rows["A2"].font.bold) == ("B2", True, False)


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_file_is_saved_under_the_name_of_its_view(suffix: str) -> None:
    response: Any = file_response(tag_sheet([]), suffix)
    head = response["Content-Disposition"]
    response.close()

    assert head == f'attachment; filename="category-125-tags-2026-11-20.{suffix}"'


def test_long_file_name_is_filled_up_to_its_limit() -> None:
    name = file_name("category", 125, "tags", "w" * 100, "2026-11-20")

    assert len(name) == MAX_FILE_NAME == 100
    assert re.fullmatch(r"category-125-tags-w{62}-[0-9a-f]{8}-2026-11-20", name)
    assert file_name("w" * 89, "2026-11-20") == f"{'w' * 89}-2026-11-20"
