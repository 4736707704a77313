"""The label book: find a name for a number, find numbers by words, take the book in and out as CSV."""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import structlog
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models import Case, Q, QuerySet, When
from django.db.models.functions import Length

from econweb.shelf.folding import folded
from econweb.shelf.models import Label

log = structlog.get_logger("econweb.shelf")
COLUMNS = ["kind", "id", "name", "note"]


class BadFile(Exception):
    """The text says where and why; nothing of the file was taken."""


def label_of(kind: str, number: int) -> Label | None:
    return next(iter(_shown(Label.objects.filter(kind=kind, number=number))), None)


def found(text: str, most: int = 8, kind: str = "") -> list[Label]:
    """Labels in whose names every word of the text begins a word, the shortest names first."""
    words = folded(text).split()
    if not words:
        return []
    matching = Q(*(Q(words__contains=f" {word}") for word in words))
    if kind:
        matching &= Q(kind=kind)
    return _shown(Label.objects.filter(matching).order_by(Length("words"), "name", "kind", "number")[:most])


def named(name: str) -> list[Label]:
    """Labels that are called just this."""
    return _shown(Label.objects.filter(words=folded(name))[:2]) if folded(name) else []


def first_of_each(most: int = 6) -> list[Label]:
    """Some labels of each kind; those with a note first, since somebody cared for them."""
    return [
        label
        for kind, _ in Label.KINDS
        for label in _shown(
            Label.objects.filter(kind=kind).order_by(Case(When(note="", then=1), default=0), "number")[:most]
        )
    ]


def _shown(labels: QuerySet[Label]) -> list[Label]:
    """A page needs no names to say what it has to say."""
    try:
        return list(labels)
    except DatabaseError:
        log.warning("the label book cannot be read: pages show numbers without names")
        return []


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
        label.words = folded(label.name)
    with transaction.atomic():
        Label.objects.bulk_create(
            kept.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["kind", "number"],
            update_fields=["name", "note", "words"],
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
