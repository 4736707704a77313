"""CSV: metadata in lines that begin with `#` unless the sheet has none, the header, the rows; no cell is a formula."""

import csv
from collections.abc import Callable

from econweb.dashboard.files.sheet import Row, Sheet
from econweb.dashboard.files.streaming import TextFormat
from econweb.formula_escape import escape_formula


class _Echo:
    """A file whose `write` returns the text, so that `writerow` returns the line."""

    def write(self, text: str) -> str:
        return text


_writerow: Callable[[Row], str] = csv.writer(_Echo()).writerow


def _write_line(row: Row) -> str:
    return _writerow([escape_formula(value) if isinstance(value, str) else value for value in row])


def _write_head(sheet: Sheet) -> str:
    metadata = {"title": sheet.title, **sheet.metadata} if sheet.has_comments else {}
    # Programs that skip lines with a `#` ignore quotes, so each entry is one line.
    lines = [_writerow([f"# {name}", escape_formula(" ".join(value.splitlines()))]) for name, value in metadata.items()]
    return "".join(lines) + _writerow([column.name for column in sheet.columns])


CSV = TextFormat(
    head=_write_head,
    line=lambda _sheet: _write_line,
    tail=lambda _sheet: "",
    on_error=lambda words: _writerow(["# error", escape_formula(words)]),
)
