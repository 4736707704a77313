"""A file, read back by a program that did not write it, holds the view row for row."""

import csv
import io
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from openpyxl import load_workbook
from pytest_django import Settings

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import file_response
from econweb.dashboard.files.sheet import MAX_FILE_NAME, Row, Sheet, file_name
from econweb.formula_escape import escape_formula, unescape_formula
from tests.dashboard.files.reading import READERS, as_read, read_about
from tests.dashboard.files.sheets import COLUMNS, HOSTILE, WIDE, breaking, tag_rows, tag_sheet

# To close an answer looks at the connection, if there is one.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def body_of(sheet: Sheet, suffix: str) -> bytes:
    response: Any = file_response(sheet, suffix)
    body: bytes = response.getvalue()
    response.close()
    return body


def read_back(body: bytes, suffix: str) -> list[Row]:
    return [tuple(record.get(column.name) for column in COLUMNS) for record in READERS[suffix](body)]


def rows_as_read(rows: list[Row], suffix: str) -> list[Row]:
    if suffix == "tex":
        # The table has only the day on which a tag was created.
        rows = [(*row[:3], str(row[3])[:10], *row[4:]) for row in rows]
    return [tuple(as_read(cell, suffix) for cell in row) for row in rows]


def test_export_formats_are_read_by_their_programs() -> None:
    unread = MEDIA_TYPES.keys() - READERS.keys()

    assert not unread, f"tests/dashboard/files/reading.py has no reader for {', '.join(unread)}."


@pytest.mark.parametrize("count", [0, 1, 188, 6000])
@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_export_read_back_equals_the_view(suffix: str, count: int) -> None:
    rows = tag_rows(HOSTILE + WIDE, count)

    read = read_back(body_of(tag_sheet(rows), suffix), suffix)

    assert read == rows_as_read(rows, suffix)


@pytest.mark.parametrize("suffix", ["csv", "json", "xml", "md", "xlsx"])
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=9), min_size=1))
def test_export_round_trips_any_text(suffix: str, texts: list[str]) -> None:
    rows = tag_rows([text.replace("\ufffe", "").replace("\uffff", "") for text in texts], 3)

    assert read_back(body_of(tag_sheet(rows), suffix), suffix) == rows_as_read(rows, suffix)


def test_export_formats_are_documented(settings: Settings) -> None:
    reference = (settings.BASE_DIR / "docs/reference.md").read_text(encoding="utf-8")

    assert " ".join(f"`{suffix}`" for suffix in MEDIA_TYPES) in reference


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_export_columns_are_in_order(suffix: str) -> None:
    body = body_of(tag_sheet([("a", "b", "c", "d", 1, 2)]), suffix)
    (record,) = READERS[suffix](body)

    # A LaTeX table is read by people, and has space for notes in its last column only.
    in_latex = ["name", "group_id", "created", "popularity", "series_count", "notes"]
    assert [*record] == (in_latex if suffix == "tex" else [column.name for column in COLUMNS])
    assert (b"Name & Group id & Created & Popularity & Series count & Notes" in body) == (suffix == "tex")


def test_export_records_have_names_of_the_contract() -> None:
    json, xml, xlsx = (body_of(tag_sheet([("a", "b", "c", "d", 1, 2)]), x) for x in ("json", "xml", "xlsx"))

    assert len(msgspec.json.decode(json)["tags"]) == 1
    assert [element.tag for element in etree.fromstring(xml).iter("*")] == ["tags", "tag"]
    assert load_workbook(io.BytesIO(xlsx)).sheetnames == ["tags", "about"]


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_export_names_its_origin(suffix: str) -> None:
    sheet = tag_sheet([])
    body = body_of(sheet, suffix)
    text = read_about(body) if suffix == "xlsx" else body.decode()

    assert sheet.metadata["source"] in re.sub(r"\\(?=[-:.])", "", text)


def test_csv_metadata_is_one_line_per_value() -> None:
    """Programs that skip lines with a `#` do not know of quotes."""
    sheet = replace(tag_sheet([]), title="a\nname,notes\r\n=1+1,x", metadata={"missing": "X: gone\nY: gone"})
    lines = body_of(sheet, "csv").decode().splitlines()

    assert [line.startswith("# ") for line in lines] == [True, True, False]


@pytest.mark.parametrize("suffix", sorted(set(MEDIA_TYPES) - {"xlsx"}))
def test_broken_export_ends_with_error_message(suffix: str) -> None:
    body = body_of(tag_sheet(breaking(tag_rows(HOSTILE, 600))), suffix).decode()

    last = body.splitlines()[-1]
    assert "The file breaks off here" in re.sub(r"[\\{}]", "", last)
    assert "did not answer in time" in last


@pytest.mark.parametrize("suffix", ["json", "xml"])
def test_broken_export_is_not_readable_as_complete(suffix: str) -> None:
    body = body_of(tag_sheet(breaking(tag_rows(HOSTILE, 3))), suffix)

    with pytest.raises(Exception, match=r"malformed|Premature|invalid"):
        READERS[suffix](body)


def test_markdown_export_aligns_numbers_right() -> None:
    lines = body_of(tag_sheet([]), "md").decode().splitlines()

    assert lines[-2:] == [
        "| name | group_id | notes | created | popularity | series_count |",
        "| --- | --- | --- | --- | ---: | ---: |",
    ]


@given(st.text() | st.text("=-＠'\";\t\r\n#x"))
def test_csv_export_escapes_formulas_reversibly(text: str) -> None:
    safe = escape_formula(text)

    assert safe[:1] not in {"=", "+", "-", "@", "\t", "\r", "\n"}
    assert unescape_formula(safe) == text


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "'", "#", "＝", "＋", "－", "＠"])
def test_csv_export_keeps_leading_signs_as_text_in_spreadsheets(sign: str) -> None:
    """A39: `'` stands before each sign with which a formula or a line of facts can begin."""
    text = f"{sign}1+1"
    body = body_of(tag_sheet([(text, "b", text, "d", 1, 2)]), "csv").decode()

    lines = csv.reader(io.StringIO(body, newline=""))
    *_, (name, _group, notes, *_rest) = (line for line in lines if not line[0].startswith("# "))

    assert (name, notes) == (f"'{text}", f"'{text}")


@pytest.mark.parametrize(
    ("sign", "command"),
    [
        ("\\", r"\textbackslash{}"),
        ("{", r"\textbraceleft{}"),
        ("}", r"\textbraceright{}"),
        ("$", r"\$"),
        ("&", r"\&"),
        ("#", r"\#"),
        ("%", r"\%"),
        ("_", r"\_"),
        ("^", r"\textasciicircum{}"),
        ("~", r"\textasciitilde{}"),
    ],
)
def test_latex_export_escapes_special_characters(sign: str, command: str) -> None:
    """A39: the ten special signs of LaTeX."""
    body = body_of(tag_sheet([(f"2{sign}3", "b", "c", "d", 1, 2)]), "tex").decode()

    assert f"\n2{command}3 & b &" in body


def test_csv_export_keeps_numbers_as_numbers() -> None:
    body = body_of(tag_sheet([("a", "b", "c", "d", -31, 2)]), "csv").decode()

    assert body.endswith("a,b,c,d,-31,2\r\n")


@given(st.lists(st.text(), min_size=1))
def test_export_file_name_is_plain_ascii(words: list[str]) -> None:
    name = file_name("category", *words)

    assert re.fullmatch(r"category[A-Za-z0-9_-]*", name)
    assert len(name) <= MAX_FILE_NAME


def test_export_long_file_name_keeps_date_and_differs_by_filter() -> None:
    names = {
        file_name("category", 125, "tags", "w" * 100 + filtered, day)
        for filtered in ("a", "b")
        for day in ("2020-01-01", "2024-01-01")
    }

    assert len(names) == 4
    assert {name[-11:] for name in names} == {"-2020-01-01", "-2024-01-01"}


def test_xlsx_export_cuts_text_longer_than_a_cell() -> None:
    (row,) = READERS["xlsx"](body_of(tag_sheet([("a", "b", "é🙂" * 20_000, "", 1, 2)]), "xlsx"))

    assert row["notes"].endswith(("é [cut here: a cell holds no more]", "🙂 [cut here: a cell holds no more]"))
    assert len(row["notes"].encode("utf-16-le")) // 2 <= 32_767


def test_xlsx_export_breaks_lines_with_lf() -> None:
    """openpyxl and pandas show the escape of a CR as a word."""
    notes = "one\r\ntwo\rthree\nfour"
    body = body_of(tag_sheet([("a", "b", notes, "", 1, 2)]), "xlsx")

    cells = [cell.value for cell in load_workbook(io.BytesIO(body))["tags"][2]]

    assert "one\ntwo\nthree\nfour" in cells


def test_xlsx_export_writes_temporary_files_in_data_folder_only(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    settings.DATA_DIR = tmp_path
    rows = [("a", "b", "", "", 1, 2)]

    assert len(READERS["xlsx"](body_of(tag_sheet(rows), "xlsx"))) == 1
    assert list(tmp_path.iterdir()) == []
