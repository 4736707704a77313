"""A view as CSV: lines of facts that begin with `#`, the header, the rows; no cell is a formula."""

import csv
from collections.abc import Callable

from econweb.dashboard.files.sheets import Row, Sheet, Value
from econweb.dashboard.files.streaming import TextFormat

# What a spreadsheet may take for a formula, and what would be read as a line of facts. A leading `'` is
# among them so that the first `'` of a cell is always ours, and can be taken away again.
_DISARMED = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "#", "＝", "＋", "－", "＠")


class _Echo:
    """The writer of the standard library gives back what its file's `write` gives back."""

    def write(self, text: str) -> str:
        return text


_writerow: Callable[[Row], str] = csv.writer(_Echo()).writerow


def disarmed(value: Value) -> Value:
    return f"'{value}" if isinstance(value, str) and value.startswith(_DISARMED) else value


def _line(row: Row) -> str:
    return _writerow([disarmed(value) for value in row])


def _head(sheet: Sheet) -> str:
    facts = {"title": sheet.title, **sheet.facts}
    # Programs that skip lines with a `#` do not know of quotes, so each fact is one line.
    lines = [
        _writerow([f"# {name}", disarmed(" ".join(value.splitlines()))]) for name, value in facts.items()
    ]
    return "".join(lines) + _writerow([column.name for column in sheet.columns])


CSV = TextFormat(
    head=_head,
    line=lambda _sheet: _line,
    tail=lambda _sheet: "",
    broken=lambda words: _writerow(["# error", disarmed(words)]),
)
