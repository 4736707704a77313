"""Excel: a workbook with a sheet of rows and a sheet of metadata, written to disk to bound memory."""

import tempfile
from typing import IO

from django.conf import settings
from xlsxwriter import Workbook
from xlsxwriter.exceptions import XlsxFileError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from econweb.dashboard.files.sheet import Sheet, Value, to_text
from econweb.dashboard.files.xml_format import NOT_IN_XML

# Excel's limit for one cell; longer text is cut, with a note.
MAX_CELL_LENGTH = 32_767
_CUT_NOTE = " [cut here: a cell holds no more]"
_WIDTHS = {"text": 28, "number": 12, "long": 60}
_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}


class CannotWrite(Exception):
    """A temporary file cannot be written in DATA_DIR."""


def write_workbook(sheet: Sheet) -> IO[bytes]:
    """Return a temporary file at its start; closing it deletes it."""
    try:
        return _create_workbook(sheet)
    except (OSError, XlsxFileError) as error:
        raise CannotWrite(type(error).__name__) from error


def _create_workbook(sheet: Sheet) -> IO[bytes]:
    folder = settings.DATA_DIR
    file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  the response closes it
    try:
        with tempfile.TemporaryDirectory(dir=folder) as parts, Workbook(file, {**_OPTIONS, "tmpdir": parts}) as book:
            bold = book.add_format({"bold": True})
            _write_rows(book.add_worksheet(sheet.plural), sheet, bold)
            _write_metadata(book.add_worksheet("about"), sheet, bold)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _write_rows(worksheet: Worksheet, sheet: Sheet, bold: Format) -> None:
    worksheet.freeze_panes(1, 1)
    for index, column in enumerate(sheet.columns):
        worksheet.set_column(index, index, _WIDTHS[column.kind])
        worksheet.write_string(0, index, column.name, bold)
    for number, row in enumerate(sheet.rows, start=1):
        for index, value in enumerate(row):
            _write(worksheet, number, index, value)


def _write_metadata(worksheet: Worksheet, sheet: Sheet, bold: Format) -> None:
    worksheet.set_column(0, 0, 20)
    worksheet.set_column(1, 1, 100)
    for number, (name, value) in enumerate({"title": sheet.title, **sheet.metadata}.items()):
        worksheet.write_string(number, 0, name, bold)
        _write(worksheet, number, 1, value)


def _write(worksheet: Worksheet, number: int, index: int, value: Value) -> None:
    """Write by type, so that no text becomes a formula, a link or a number."""
    if isinstance(value, int | float):
        worksheet.write_number(number, index, value)
    elif value is not None:
        worksheet.write_string(number, index, _fit_cell(to_text(value)))


def _fit_cell(text: str) -> str:
    # A cell breaks lines at LF only; programs show a CR as `_x000D_`.
    text = NOT_IN_XML.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    # Excel counts a character beyond U+FFFF as two.
    if len(text) * 2 > MAX_CELL_LENGTH and len(text.encode("utf-16-le")) // 2 > MAX_CELL_LENGTH:
        kept = text.encode("utf-16-le")[: 2 * (MAX_CELL_LENGTH - len(_CUT_NOTE))]
        return kept.decode("utf-16-le", "ignore") + _CUT_NOTE
    return text
