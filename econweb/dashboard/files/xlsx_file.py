"""A view as an Excel workbook: a sheet of rows and a sheet of facts, written to disk and not to memory."""

import tempfile
from typing import IO

from django.conf import settings
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from econweb.dashboard.files.sheets import Sheet, Value, text_of
from econweb.dashboard.files.xml_file import NOT_IN_XML

# What Excel takes into one cell; a longer text is cut there, and says so.
LONGEST_TEXT = 32_767
_CUT = " [cut here: a cell holds no more]"
_WIDTHS = {"text": 28, "number": 12, "long": 60}
_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}


def workbook(sheet: Sheet) -> IO[bytes]:
    """A temporary file, at its beginning; it is gone when it is closed."""
    place = settings.DATA_DIR
    file = tempfile.TemporaryFile(dir=place)  # noqa: SIM115  whoever sends it closes it
    try:
        with (
            tempfile.TemporaryDirectory(dir=place) as folder,
            Workbook(file, {**_OPTIONS, "tmpdir": folder}) as book,
        ):
            bold = book.add_format({"bold": True})
            _write_rows(book.add_worksheet(sheet.plural[:31]), sheet, bold)
            _write_facts(book.add_worksheet("about"), sheet, bold)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _write_rows(worksheet: Worksheet, sheet: Sheet, bold: Format) -> None:
    worksheet.freeze_panes(1, 1)
    for place, column in enumerate(sheet.columns):
        worksheet.set_column(place, place, _WIDTHS[column.kind])
        worksheet.write_string(0, place, column.name, bold)
    for number, row in enumerate(sheet.rows, start=1):
        for place, value in enumerate(row):
            _write(worksheet, number, place, value)


def _write_facts(worksheet: Worksheet, sheet: Sheet, bold: Format) -> None:
    worksheet.set_column(0, 0, 20)
    worksheet.set_column(1, 1, 100)
    for number, (name, value) in enumerate({"title": sheet.title, **sheet.facts}.items()):
        worksheet.write_string(number, 0, name, bold)
        _write(worksheet, number, 1, value)


def _write(worksheet: Worksheet, number: int, place: int, value: Value) -> None:
    """By type and never by look, so that no text becomes a formula, a link or a number."""
    if isinstance(value, int | float):
        worksheet.write_number(number, place, value)
    elif value is not None:
        worksheet.write_string(number, place, _fitting(text_of(value)))


def _fitting(text: str) -> str:
    text = NOT_IN_XML.sub("\ufffd", text)
    # Excel counts a character beyond U+FFFF as two.
    if len(text) * 2 > LONGEST_TEXT and len(text.encode("utf-16-le")) // 2 > LONGEST_TEXT:
        kept = text.encode("utf-16-le")[: 2 * (LONGEST_TEXT - len(_CUT))]
        return kept.decode("utf-16-le", "ignore") + _CUT
    return text
