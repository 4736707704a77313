"""Write the whole library to a file, line by line."""

from collections import Counter
from collections.abc import Iterator
from typing import IO

import msgspec

from econweb.library.file_format import VERSION, Head, Line, LineSum, find_wrong_field, tag_of, to_line
from econweb.library.models import FrozenCopy
from econweb.library.verify import each_row, name_row


class CannotExport(Exception):
    """A row is damaged, so that no file can have it; the text names it."""


def export_to(file: IO[bytes]) -> Counter[str]:
    """Write all there is, and return the number of lines of each type; raise CannotExport for a damaged row."""
    sums, counts = LineSum(), Counter[str]()
    for line in _lines():
        file.write(sums.add(_encode(line)))
        counts[tag_of(line)] += 1
    file.write(_encode(sums.end()))
    return counts


def _lines() -> Iterator[Line]:
    yield Head(VERSION)
    last = None
    for row in each_row():
        if wrong := find_wrong_field(row):
            raise CannotExport(f"{name_row(row)}: {wrong}")
        if isinstance(row, FrozenCopy) and row.body and row.body_id != last:
            last = row.body_id
            yield to_line(row.body)
        yield to_line(row)


def _encode(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"
