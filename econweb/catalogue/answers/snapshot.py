"""The snapshot of the catalogue that this process answers from."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection

from econweb.catalogue import replies
from econweb.catalogue.answers.search import WordIndex, word_index
from econweb.catalogue.models import FORMAT, Edition, Tag
from econweb.catalogue.parameters import BadRequest

T = TypeVar("T")


class FormatMismatch(Exception):
    """The tables have the format of another version of econweb."""

    def __init__(self) -> None:
        words = "The catalogue was loaded by another version of econweb"
        super().__init__(f"{words}: load it again (manage.py load_catalogue FOLDER).")


@dataclass(frozen=True, eq=False)
class CatalogueSnapshot:
    """The parts of the tables that every answer needs. A tag's number is its position in the order of names."""

    identity: str = ""
    loaded: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    number_of: Mapping[str, int] = field(default_factory=dict)
    in_group: Mapping[str, frozenset[int]] = field(default_factory=dict)
    # All tags for each `sort_order` and each `order_by` that does not depend on the owner.
    orders: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict)
    # For each format, every tag's record up to its count.
    records: Mapping[str, Sequence[str]] = field(default_factory=dict)
    words: WordIndex = field(default_factory=lambda: WordIndex([], []))


class _Memory:
    snapshot = CatalogueSnapshot()
    # A monotonic time; until then the stored identity is not compared.
    good_until = 0.0
    reading = Lock()


def current_snapshot() -> CatalogueSnapshot:
    if time.monotonic() >= _Memory.good_until:
        with _Memory.reading:
            # Another thread may have refreshed it while this one waited.
            if time.monotonic() >= _Memory.good_until:
                _refresh()
    return _Memory.snapshot


def is_current(identity: str) -> bool:
    return current_snapshot().identity == identity


def consistent_read(read: Callable[[CatalogueSnapshot], T]) -> tuple[CatalogueSnapshot, T]:
    """Read from one edition: discard and repeat a read during which a load ended."""
    while True:
        snapshot = current_snapshot()
        try:
            answer = read(snapshot)
        except (BadRequest, LookupError):
            # New rows read with an old snapshot also raise; then the request may be valid.
            if _stored_identity() == snapshot.identity:
                raise
        else:
            if _stored_identity() == snapshot.identity:
                return snapshot, answer
        _Memory.good_until = 0.0


def _refresh() -> None:
    while _stored_identity() != _Memory.snapshot.identity:
        _Memory.snapshot = _read()
    _Memory.good_until = time.monotonic() + settings.CATALOGUE_RECHECK_SECONDS


def _stored_identity() -> str:
    """Return the identity in the tables; every answer asks for it, and the ORM takes five times as long."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT identity FROM {Edition._meta.db_table} LIMIT 1")  # noqa: S608
        found = cursor.fetchone()
    return found[0] if found else ""


def _read() -> CatalogueSnapshot:
    edition = Edition.objects.first()
    if edition is None:
        return CatalogueSnapshot()
    if not edition.digest.startswith(f"{FORMAT}-"):
        raise FormatMismatch
    tags = list(Tag.objects.order_by("number").values("name", "group_id", "notes", "created", "popularity"))
    groups = [tag["group_id"] for tag in tags]
    return CatalogueSnapshot(
        identity=edition.identity,
        loaded=edition.loaded,
        number_of={tag["name"]: number for number, tag in enumerate(tags)},
        in_group={group: frozenset(number for number, own in enumerate(groups) if own == group) for group in {*groups}},
        orders=_orders(
            name=range(len(tags)),
            group_id=groups,
            popularity=[tag["popularity"] for tag in tags],
            created=[datetime.fromisoformat(tag["created"]).timestamp() for tag in tags],
        ),
        records={file_type: [replies.tag_prefix(file_type, tag) for tag in tags] for file_type in ("json", "xml")},
        words=word_index((number, f"{tag['name']} {tag['notes']}") for number, tag in enumerate(tags)),
    )


def _orders(**compared: Sequence[Any]) -> dict[tuple[str, str], list[int]]:
    """Sort stably, also when reversed: ties stay in the order of names."""
    return {
        (order_by, sort_order): sorted(range(len(values)), key=values.__getitem__, reverse=sort_order == "desc")
        for order_by, values in compared.items()
        for sort_order in ("asc", "desc")
    }
