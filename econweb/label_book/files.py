"""The label book as a CSV file."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

from django.core.exceptions import ValidationError

from econweb.formula_escape import escape_formula, unescape_formula
from econweb.label_book.models import Label
from econweb.label_book.tree import find_circles, problem_with_parent, stored_parents

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
        # A parent whose label was deleted would make the file invalid.
        writer.writerow([kind, number, escape_formula(name), escape_formula(note), parent if parent in known else None])
    return len(rows)


def read_labels(file: IO[str], replace: bool = False) -> list[Label]:
    """Return the labels of a whole file, which must fit into the stored tree, or with `replace` into their own."""
    try:
        rows = csv.DictReader(file)
        labels = list(_read(rows))
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"The file cannot be read as CSV in UTF-8: {error}.") from None
    by_id = {(label.kind, label.number): (line, label) for line, label in labels}
    known = {} if replace else stored_parents()
    if rows.fieldnames == OLD_COLUMNS:
        for _, label in by_id.values():
            label.parent = known.get(label.number) if label.kind == "category" else None
    _check_tree(by_id.values(), known)
    return [label for _, label in by_id.values()]


def _check_tree(labels: Iterable[tuple[int, Label]], known: dict[int, int | None]) -> None:
    labels = list(labels)
    parents = known | {label.number: label.parent for _, label in labels if label.kind == "category"}
    circles = find_circles(parents)
    for line, label in labels:
        if problem := problem_with_parent(label, parents, circles):
            raise BadFile(f"Line {line}, parent_id: {problem}")


def _read(rows: "csv.DictReader[str]") -> Iterator[tuple[int, Label]]:
    columns: Sequence[str] = rows.fieldnames or []
    if columns not in (COLUMNS, OLD_COLUMNS):
        raise BadFile(f"The first line must be: {','.join(COLUMNS)}")
    for row in rows:
        if None in row or None in row.values():
            raise BadFile(f"Line {rows.line_num}: it does not have {len(columns)} columns.")
        fail = _failing_at(rows.line_num)
        if row["kind"] not in dict(Label.KINDS):
            raise fail("kind", "it must be category or release.")
        label = Label(
            kind=row["kind"],
            number=_whole_number(row["id"], "id", fail),
            name=unescape_formula(row["name"].strip()),
            note=unescape_formula(row["note"]),
            parent=_whole_number(row["parent_id"], "parent_id", fail) if row.get("parent_id") else None,
        )
        try:
            label.clean_fields(exclude=["words", "id"])
        except ValidationError as error:
            name, messages = next(iter(error.message_dict.items()))
            raise fail(name, messages[0]) from None
        yield rows.line_num, label


def _failing_at(line: int) -> Callable[[str, str], BadFile]:
    return lambda column, reason: BadFile(f"Line {line}, {column}: {reason}")


def _whole_number(text: str, column: str, fail: Callable[[str, str], BadFile]) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise fail(column, "it is not a whole number of at most nine digits.")
    return int(text)
