"""Import titles of series from a CSV file: all rows or none."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction

from econweb.label_book.models import NOT_IN_A_LINE
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from econweb.upstream.queries import is_series_id

COLUMNS = ["id", "title"]
_CONTROLS = re.compile(NOT_IN_A_LINE)


class BadFile(Exception):
    """The file is invalid and nothing was imported; the text says where and why."""


def import_from(path: Path) -> tuple[int, int]:
    """Return the number of titles in the file, and of those that are new or changed."""
    if path.is_fifo():
        raise BadFile(f"{path} is a pipe. Write the titles into a file, because they are read twice.")
    # Twice: a file of 825,000 titles is not held in memory.
    total = sum(1 for _ in _read(path))
    with transaction.atomic():
        return total, title_index.add(_read(path), title_index.IMPORTED)


def _read(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        # Strict: a quotation mark that is not closed would take all later rows into its cell.
        rows, line = csv.DictReader(file, strict=True), 1
        try:
            if rows.fieldnames != COLUMNS:
                raise BadFile(f"The first line must be: {','.join(COLUMNS)}")
            line = rows.line_num + 1
            for row in rows:
                yield _parse(row, rows.line_num)
                line = rows.line_num + 1
        except UnicodeDecodeError as error:
            raise BadFile(f"The file cannot be read as CSV in UTF-8: {error}.") from None
        except csv.Error as error:
            raise BadFile(f"Line {line}: it is not valid CSV ({error}). Is a quotation mark missing?") from None


def _parse(row: dict[str, str], line: int) -> Record:
    if None in row or None in row.values():
        raise BadFile(f"Line {line}: it does not have {len(COLUMNS)} columns.")
    series_id, title = row["id"].strip(), row["title"].strip()
    if not is_series_id(series_id):
        raise BadFile(f"Line {line}, id: it is not 1 to 25 letters, digits or underscores.")
    if not title or len(title) > title_index.MAX_TITLE or _CONTROLS.search(title):
        most = f"{title_index.MAX_TITLE:,} characters"
        raise BadFile(f"Line {line}, title: it is empty, has a control character, or has over {most}.")
    return Record(series_id.upper(), title)
