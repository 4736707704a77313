"""The edition that this process answers from, held in memory as far as every answer needs it."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings

from econweb.catalogue import replies
from econweb.catalogue.models import FORMAT, Edition, Tag
from econweb.catalogue.parameters import BadRequest
from econweb.catalogue.search import WordIndex, word_index

T = TypeVar("T")


class OtherFormat(Exception):
    """What the tables hold would be read wrongly."""

    def __init__(self) -> None:
        words = "The catalogue was loaded by another version of econweb"
        super().__init__(f"{words}: load it again (manage.py load_catalogue FOLDER).")


@dataclass(frozen=True, eq=False)
class HeldEdition:
    """Tags are known by their number, which is their place in the order of names."""

    identity: str = ""
    loaded: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    number_of: Mapping[str, int] = field(default_factory=dict)
    in_group: Mapping[str, frozenset[int]] = field(default_factory=dict)
    # All tags, under each `order_by` that belongs to the tag alone and each `sort_order`.
    orders: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict)
    # Under each format, the tag's record as far as the count that ends it.
    records: Mapping[str, Sequence[str]] = field(default_factory=dict)
    words: WordIndex = field(default_factory=lambda: WordIndex([], []))


class _Memory:
    held = HeldEdition()
    # A monotonic time; until then nobody looks whether the tables were replaced.
    good_until = 0.0
    reading = Lock()


def current() -> HeldEdition:
    if time.monotonic() >= _Memory.good_until:
        with _Memory.reading:
            # Whoever waited for another one's look need not look again.
            if time.monotonic() >= _Memory.good_until:
                _look_again()
    return _Memory.held


def is_current(identity: str) -> bool:
    return current().identity == identity


def of_one_edition(read: Callable[[HeldEdition], T]) -> tuple[HeldEdition, T]:
    """A load may end between two reads of an answer: such an answer is thrown away and made anew."""
    while True:
        edition = current()
        try:
            answer = read(edition)
        except (BadRequest, LookupError):
            # The rows of a new load read with the tags of an old one: that says nothing of the request.
            if _stored_identity() == edition.identity:
                raise
        else:
            if _stored_identity() == edition.identity:
                return edition, answer
        _Memory.good_until = 0.0


def _look_again() -> None:
    while _stored_identity() != _Memory.held.identity:
        _Memory.held = _read()
    _Memory.good_until = time.monotonic() + settings.CATALOGUE_RECHECK_SECONDS


def _stored_identity() -> str:
    return Edition.objects.values_list("identity", flat=True).first() or ""


def _read() -> HeldEdition:
    edition = Edition.objects.first()
    if edition is None:
        return HeldEdition()
    if not edition.digest.startswith(f"{FORMAT}-"):
        raise OtherFormat
    tags = list(Tag.objects.order_by("number").values("name", "group_id", "notes", "created", "popularity"))
    groups = [tag["group_id"] for tag in tags]
    return HeldEdition(
        identity=edition.identity,
        loaded=edition.loaded,
        number_of={tag["name"]: number for number, tag in enumerate(tags)},
        in_group={
            group: frozenset(number for number, own in enumerate(groups) if own == group)
            for group in {*groups}
        },
        orders=_orders(
            name=range(len(tags)),
            group_id=groups,
            popularity=[tag["popularity"] for tag in tags],
            created=[datetime.fromisoformat(tag["created"]).timestamp() for tag in tags],
        ),
        records={
            file_type: [replies.begun_tag(file_type, tag) for tag in tags] for file_type in ("json", "xml")
        },
        words=word_index((number, f"{tag['name']} {tag['notes']}") for number, tag in enumerate(tags)),
    )


def _orders(**compared: Sequence[Any]) -> dict[tuple[str, str], list[int]]:
    """A stable sort, also when reversed: what is equal stays in the order of names."""
    return {
        (order_by, sort_order): sorted(
            range(len(values)), key=values.__getitem__, reverse=sort_order == "desc"
        )
        for order_by, values in compared.items()
        for sort_order in ("asc", "desc")
    }
