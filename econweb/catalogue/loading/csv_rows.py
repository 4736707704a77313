"""Rows of a CSV file in batches, and sentences about what is wrong with a line."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _csv import Reader

BATCH_ROWS = 10_000
MAX_SHOWN = 40
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
class Batch:
    """Some rows of a file, all of the right width."""

    first_line: int
    rows: list[list[str]]

    def column(self, index: int) -> list[str]:
        return [row[index] for row in self.rows]

    def lines(self) -> Iterator[int]:
        """Yield the first line of each row; a quoted field may contain line breaks."""
        line = self.first_line
        for row in self.rows:
            yield line
            line += 1 + "".join(row).count("\n")


class Unreadable(Exception):
    """The file cannot be read from this line on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def read_rows(reader: "Reader", most: int) -> list[list[str]]:
    rows: list[list[str]] = []
    line = reader.line_num + 1
    try:
        # Keeps the rows before an error.
        rows.extend(islice(reader, most))
    except csv.Error as error:
        begins = line + sum(1 + "".join(row).count("\n") for row in rows)
        is_open = str(error) == "unexpected end of data"
        raise Unreadable(begins, "opens a quote that is never closed" if is_open else f"is not CSV ({error})") from None
    return rows


def read_full_rows(reader: "Reader", most: int, width: int) -> list[list[str]]:
    """Return the next rows; empty lines may be at the end of the file only."""
    line = reader.line_num + 1
    rows = read_rows(reader, most)
    if set(map(len, rows)) - {width}:
        if not rows[-1] and _is_at_end(reader):
            while rows and not rows[-1]:
                rows.pop()
        for number, row in zip(Batch(line, rows).lines(), rows, strict=True):
            if len(row) != width:
                raise Unreadable(number, describe_width(row, width))
    return rows


def _is_at_end(reader: "Reader") -> bool:
    """Read on; return whether only empty lines follow."""
    while rows := read_rows(reader, BATCH_ROWS):
        if any(rows):
            return False
    return True


def add_value(value: str, reason: str) -> str:
    """Put a wrong value, cut to a few characters, before what is wrong with it."""
    if not value:
        return reason
    return f"{value[:MAX_SHOWN]!r}{'…' if len(value) > MAX_SHOWN else ''} {reason}"


def describe_header(found: Sequence[str], header: Sequence[str]) -> str:
    """Return what is wrong with the names of the columns."""
    must = f"it must be {','.join(header)}"
    if not any(found):
        return f"has no names of columns: {must}"
    if separated := _separated(found):
        return separated
    lacks = [name for name in header if name not in found]
    unknown = [repr(name[:MAX_SHOWN]) for name in found if name not in header]
    parts = [f"lacks {', '.join(lacks)}"] * bool(lacks) + [f"has the unknown {', '.join(unknown)}"] * bool(unknown)
    return f"{' and '.join(parts) or 'has its columns in another order'}: {must}"


def describe_width(row: Sequence[str], width: int) -> str:
    """Return what is wrong with a row that has more or fewer fields than there are columns."""
    if not row:
        return "is empty: delete it"
    if separated := _separated(row):
        return separated
    advice = ": put quotes around a text with a comma" if len(row) > width else ""
    return f"has {len(row)} {'field' if len(row) == 1 else 'fields'} instead of {width}{advice}"


def _separated(row: Sequence[str]) -> str:
    found = next((name for sign, name in SEPARATORS.items() if len(row) == 1 and sign in row[0]), "")
    return f"seems to have {found} between its columns: use commas" if found else ""
