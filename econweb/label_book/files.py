"""The label book as a CSV file."""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from django.core.exceptions import ValidationError
from django.utils.text import normalize_newlines

from econweb.formula_escape import escape_formula, unescape_formula
from econweb.label_book.models import Label
from econweb.label_book.tree import Parents, find_circles, problem_with_parent, stored_parents

# Files of earlier versions have no column `parent_id`; they leave parents as they are.
COLUMNS = ["kind", "id", "name", "note", "parent_id"]
OLD_COLUMNS = COLUMNS[:-1]


class BadFile(Exception):
    """The file is invalid and nothing was imported; the text says where and why."""


def export_to(file: IO[str]) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows, known = list(Label.objects.values_list("kind", "number", "name", "note", "parent")), stored_parents()
    for kind, number, name, note, parent in rows:
        # A lone carriage return of an earlier version would make the file invalid: Python 3.11 does not quote it.
        cells = escape_formula(name), escape_formula(normalize_newlines(note))
        # So would a parent whose label was deleted.
        writer.writerow([kind, number, *cells, parent if parent in known else None])
    return len(rows)


def read_text(path: Path) -> str:
    """Return the whole text, of standard input for `-`, so that no import waits for a slow file within its turn."""
    try:
        return (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"The file cannot be read as CSV in UTF-8: {error}.") from None


def read_labels(file: IO[str], replace: bool = False) -> list[Label]:
    """Return the labels of a whole file, which must fit into the stored tree, or with `replace` into their own."""
    header = file.readline()
    file.seek(0)
    # Spreadsheets copy cells with tabs, and some write semicolons. No name of a column has one.
    delimiter = next((one for one in "\t;" if one in header), ",")
    try:
        # Strict: a quotation mark that is not closed would take all later rows into its cell.
        rows = csv.DictReader(file, strict=True, delimiter=delimiter)
        labels = list(_read(rows))
    except csv.Error as error:
        raise BadFile(f"The file cannot be read as CSV: {error}.") from None
    _refuse_twins(labels)
    stored = stored_parents()
    known = {} if replace else stored
    if rows.fieldnames == OLD_COLUMNS:
        _keep_parents([label for _, label in labels if label.kind == "category"], stored, known)
    _check_tree(labels, known)
    return [label for _, label in labels]


def _refuse_twins(labels: Iterable[tuple[int, Label]]) -> None:
    lines = dict[tuple[str, int], int]()
    for line, label in labels:
        if (first := lines.setdefault((label.kind, label.number), line)) != line:
            raise BadFile(f"Line {line}, id: line {first} has this {label.kind}.")


def _keep_parents(categories: Sequence[Label], stored: Parents, known: Parents) -> None:
    """Set the stored parents, but none without a label, such as one that the import deletes."""
    named = known.keys() | {label.number for label in categories}
    for label in categories:
        parent = stored.get(label.number)
        label.parent = parent if parent in named else None


def _check_tree(labels: Sequence[tuple[int, Label]], known: dict[int, int | None]) -> None:
    parents = known | {label.number: label.parent for _, label in labels if label.kind == "category"}
    circles = find_circles(parents)
    for line, label in labels:
        if problem := problem_with_parent(label, parents, circles):
            raise BadFile(f"Line {line}, parent_id: {problem}")


def _read(rows: "csv.DictReader[str]") -> Iterator[tuple[int, Label]]:
    columns: Sequence[str] = rows.fieldnames or []
    if columns not in (COLUMNS, OLD_COLUMNS):
        raise BadFile(f"The first line must be: {','.join(COLUMNS)}")
    for row in _whole_rows(rows):
        if None in row or None in row.values():
            raise BadFile(f"Line {rows.line_num}: it does not have {len(columns)} columns.")
        fail = _failing_at(rows.line_num)
        if row["kind"] not in dict(Label.KINDS):
            raise fail("kind", "it must be category or release.")
        label = Label(
            kind=row["kind"],
            number=_whole_number(row["id"], "id", fail),
            name=unescape_formula(row["name"].strip()),
            note=unescape_formula(normalize_newlines(row["note"])),
            parent=_whole_number(row["parent_id"], "parent_id", fail) if row.get("parent_id") else None,
        )
        try:
            label.clean_fields(exclude=["words", "id"])
        except ValidationError as error:
            name, messages = next(iter(error.message_dict.items()))
            raise fail(name, messages[0]) from None
        yield rows.line_num, label


def _whole_rows(rows: "csv.DictReader[str]") -> Iterator[dict[str, str]]:
    """Yield the rows; one that is not valid CSV is named by its first line, where a quotation mark may be open."""
    line = rows.line_num + 1
    try:
        for row in rows:
            yield row
            line = rows.line_num + 1
    except csv.Error as error:
        raise BadFile(f"Line {line}: it is not valid CSV ({error}). Is a quotation mark missing?") from None


def _failing_at(line: int) -> Callable[[str, str], BadFile]:
    return lambda column, reason: BadFile(f"Line {line}, {column}: {reason}")


def _whole_number(text: str, column: str, fail: Callable[[str, str], BadFile]) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise fail(column, "it is not a whole number of at most nine digits.")
    return int(text)
