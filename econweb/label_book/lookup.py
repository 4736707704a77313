"""The label book: look up names by number and numbers by name, import and export CSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from django.core.exceptions import ValidationError
from django.db import transaction

from econweb.label_book.folding import folded
from econweb.label_book.models import Label
from econweb.label_book.snapshot import label_snapshot

COLUMNS = ["kind", "id", "name", "note"]
# Spreadsheets read a cell with one of these prefixes as a formula (the same list as for other CSV files).
_FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "#", "＝", "＋", "－", "＠")
# Suggestions of each kind.
MAX_PER_KIND = 6
# Characters of a text that near names are looked up for, and of the shortest word that counts.
MAX_NEAR_LENGTH, MIN_NEAR_WORD = 100, 3


class BadFile(Exception):
    """The file is invalid and nothing was imported; the text says where and why."""


def get_label(kind: str, number: int) -> Label | None:
    return label_snapshot().by_number.get((kind, number))


def search(text: str, kind: str = "") -> list[Label]:
    """Return labels in whose names every word of the text begins a word.

    Names that begin with the text come first, then labels with a note, then the shortest names.
    """
    snapshot, words = label_snapshot(), [f" {word}" for word in folded(text).split()]
    if not words:
        return []
    named: Iterable[tuple[str, Label]] = zip(snapshot.words, snapshot.labels, strict=True)
    for word in words:
        named = [each for each in named if word in each[0]]
    if kind:
        named = [each for each in named if each[1].kind == kind]
    begin = [each for each in named if each[0].startswith(words[0])]
    if begin:
        named = [*begin, *(each for each in named if not each[0].startswith(words[0]))]
    return [label for _, label in named]


def near_matches(text: str) -> list[Label]:
    """Return the labels in whose names the most words of the text begin a word; at least one does."""
    snapshot = label_snapshot()
    words = [f" {word}" for word in folded(text[:MAX_NEAR_LENGTH]).split() if len(word) >= MIN_NEAR_WORD]
    counts = [sum(word in name for word in words) for name in snapshot.words]
    most = max(counts, default=0)
    return [label for label, count in zip(snapshot.labels, counts, strict=True) if count == most] if most else []


def alphabetical(kind: str, text: str = "") -> Sequence[Label]:
    """Return the labels of a kind from A to Z: all, or those whose name or number has the words of the text."""
    labels, words = label_snapshot().alphabetical(kind), [f" {word}" for word in folded(text).split()]
    if not words:
        return labels
    number = text.strip()
    return [label for label in labels if str(label.number) == number or all(word in label.words for word in words)]


def version() -> tuple[int, int]:
    """Return what changes whenever a label does."""
    return label_snapshot().stamp


def exact_matches(name: str) -> list[Label]:
    """Return at most two labels with this name."""
    return list(label_snapshot().by_words.get(folded(name), ())[:2]) if folded(name) else []


def suggestions() -> list[Label]:
    """Return some labels of each kind, those with a note first."""
    return [
        label
        for kind, _ in Label.KINDS
        for label in islice((one for one in label_snapshot().noted_first if one.kind == kind), MAX_PER_KIND)
    ]


def export_to(file: IO[str]) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = list(Label.objects.values_list("kind", "number", "name", "note"))
    writer.writerows([kind, number, _escape_formula(name), _escape_formula(note)] for kind, number, name, note in rows)
    return len(rows)


def _escape_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_PREFIXES) else text


def _unescape_formula(text: str) -> str:
    """Undo `_escape_formula`; an apostrophe before a letter belongs to the name."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_PREFIXES) else text


def import_from(path: Path) -> int:
    """Import the whole file or nothing; existing labels are overwritten."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            labels = list(_read(csv.DictReader(file)))
        except (UnicodeDecodeError, csv.Error) as error:
            raise BadFile(f"The file cannot be read as CSV in UTF-8: {error}.") from None
    return save_labels(labels)


def save_labels(labels: Iterable[Label]) -> int:
    by_id = {(label.kind, label.number): label for label in labels}
    for label in by_id.values():
        label.prepare()
    with transaction.atomic():
        Label.objects.bulk_create(
            by_id.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["kind", "number"],
            update_fields=["name", "note", "words", "revision"],
        )
    return len(by_id)


def _read(rows: "csv.DictReader[str]") -> Iterator[Label]:
    if (rows.fieldnames or []) != COLUMNS:
        raise BadFile(f"The first line must be: {','.join(COLUMNS)}")
    for row in rows:
        if None in row or None in row.values():
            raise BadFile(f"Line {rows.line_num}: it does not have {len(COLUMNS)} columns.")
        if not re.fullmatch(r"[0-9]{1,9}", row["id"]):
            raise BadFile(f"Line {rows.line_num}, id: it is not a whole number of at most nine digits.")
        label = Label(
            kind=row["kind"],
            number=int(row["id"]),
            name=_unescape_formula(row["name"].strip()),
            note=_unescape_formula(row["note"]),
        )
        try:
            label.clean_fields(exclude=["words", "id"])
        except ValidationError as error:
            name, messages = next(iter(error.message_dict.items()))
            raise BadFile(f"Line {rows.line_num}, {name}: {messages[0]}") from None
        yield label
