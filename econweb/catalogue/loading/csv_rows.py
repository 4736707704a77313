"""Rows of a CSV file in batches."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from econweb.catalogue.loading.problems import Unreadable, describe_width

if TYPE_CHECKING:
    from _csv import Reader

BATCH_ROWS = 10_000


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
