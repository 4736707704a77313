"""The label book: find a name for a number, find numbers by words, take the book in and out as CSV."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO

from django.core.exceptions import ValidationError
from django.db import transaction

from econweb.shelf.book import book
from econweb.shelf.folding import folded
from econweb.shelf.models import Label

COLUMNS = ["kind", "id", "name", "note"]
# Of what is found, and of each kind at the start.
MOST_FOUND, MOST_OF_A_KIND = 8, 6


class BadFile(Exception):
    """The text says where and why; nothing of the file was taken."""


def label_of(kind: str, number: int) -> Label | None:
    return book().by_number.get((kind, number))


def found(text: str, kind: str = "") -> list[Label]:
    """Labels in whose names every word of the text begins a word, the shortest names first."""
    held, words = book(), [f" {word}" for word in folded(text).split()]
    if not words:
        return []
    places: Iterable[int] = range(len(held.words))
    for word in words:
        places = [place for place in places if word in held.words[place]]
    matching = (held.labels[place] for place in places)
    return list(islice((label for label in matching if not kind or label.kind == kind), MOST_FOUND))


def named(name: str) -> list[Label]:
    """Labels that are called just this."""
    return list(book().by_words.get(folded(name), ())[:2]) if folded(name) else []


def first_of_each() -> list[Label]:
    """Some labels of each kind."""
    return [
        label
        for kind, _ in Label.KINDS
        for label in islice((one for one in book().noted_first if one.kind == kind), MOST_OF_A_KIND)
    ]


def export_to(file: IO[str]) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = list(Label.objects.values_list("kind", "number", "name", "note"))
    writer.writerows(rows)
    return len(rows)


def import_from(path: Path) -> int:
    """All of the file or nothing; a label that is there already takes the file's name and note."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            labels = list(_read(csv.DictReader(file)))
        except (UnicodeDecodeError, csv.Error) as error:
            raise BadFile(f"The file cannot be read as CSV in UTF-8: {error}.") from None
    return put(labels)


def put(labels: Iterable[Label]) -> int:
    kept = {(label.kind, label.number): label for label in labels}
    for label in kept.values():
        label.prepare()
    with transaction.atomic():
        Label.objects.bulk_create(
            kept.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["kind", "number"],
            update_fields=["name", "note", "words", "revision"],
        )
    return len(kept)


def _read(rows: "csv.DictReader[str]") -> Iterator[Label]:
    if (rows.fieldnames or []) != COLUMNS:
        raise BadFile(f"The first line must be: {','.join(COLUMNS)}")
    for row in rows:
        if None in row or None in row.values():
            raise BadFile(f"Line {rows.line_num}: it has not {len(COLUMNS)} columns.")
        if not re.fullmatch(r"[0-9]{1,15}", row["id"]):
            raise BadFile(f"Line {rows.line_num}, id: it is not a whole number.")
        label = Label(kind=row["kind"], number=int(row["id"]), name=row["name"].strip(), note=row["note"])
        try:
            label.clean_fields(exclude=["words", "id"])
        except ValidationError as error:
            name, messages = next(iter(error.message_dict.items()))
            raise BadFile(f"Line {rows.line_num}, {name}: {messages[0]}") from None
        yield label
