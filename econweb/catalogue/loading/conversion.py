"""Rewrite the tables of an older format, so that a new version of the program needs no files.

Formats 2 and 3 store, for each tag of an owner, the days on which its series started and ended. The checkpoints of
format 4 (`counts.py`) follow from these days. Everything else is alike in formats 2, 3 and 4.
"""

import uuid
from array import array
from collections.abc import Iterator
from itertools import accumulate, chain, groupby, pairwise
from operator import itemgetter
from typing import Any

import msgspec
import structlog
from django.db import transaction

from econweb.catalogue.counts import AllSeries, Gap, History, encode_checkpoints
from econweb.catalogue.models import FORMAT, Checkpoint, Edition, Owner

log = structlog.get_logger("econweb.catalogue")
OLDER_FORMATS = {"2", "3"}
# A day on which many series started is cut into parts, so that each checkpoint stays short.
MAX_TAGS_A_PART = 16


class OldHistory(msgspec.Struct, frozen=True, array_like=True):
    """The history of an owner in formats 2 and 3; their days differ, see `_decode_days`."""

    tags: bytes
    started: list[Any]
    ended: list[Any]
    gaps: list[Gap]


def convert_older() -> None:
    """Convert the catalogue if it has an older format; one transaction, so a kill leaves the old tables."""
    stored = Edition.objects.first()
    # A host with a copy of the database that can only be read cannot lock the row.
    if stored is None or stored.digest.partition("-")[0] not in OLDER_FORMATS:
        return
    with transaction.atomic():
        # A load that has just ended replaced the row, and nothing is left to convert.
        edition = Edition.objects.select_for_update().first()
        older, _, files = edition.digest.partition("-") if edition else ("", "", "")
        if older not in OLDER_FORMATS:
            return
        Checkpoint.objects.all().delete()
        for owner in Owner.objects.only("kind", "number", "history").iterator():
            _convert(owner)
        # Another identity, so that each worker reads the tables again.
        Edition.objects.update(identity=uuid.uuid4().hex, digest=f"{FORMAT}-{files}")
    log.info("converted the catalogue of an earlier version of econweb", from_format=older, to_format=FORMAT)


def _convert(owner: Owner) -> None:
    old = msgspec.msgpack.decode(bytes(owner.history), type=OldHistory)
    order = list(array("I", old.tags))
    for event, days in (("begun", old.started), ("ended", old.ended)):
        parts = _split_days(order, days)
        checkpoints = encode_checkpoints(range(len(parts.first_day)), parts.first_day, parts, order)
        Checkpoint.objects.bulk_create(
            Checkpoint(kind=owner.kind, number=owner.number, event=event, first_day=day, place=index, series=series)
            for index, (day, series) in enumerate(checkpoints)
        )
    Owner.objects.filter(pk=owner.pk).update(history=msgspec.msgpack.encode(History(old.tags, old.gaps)))


def _split_days(order: list[int], days: list[Any]) -> AllSeries:
    """Return the tags of each day, in parts; `encode_checkpoints` takes a part as a series, since only sums matter."""
    first_days, tags = array("i"), []
    for day, group in groupby(sorted(_decode_days(order, days)), itemgetter(0)):
        own = [tag for _, tag in group]
        for start in range(0, len(own), MAX_TAGS_A_PART):
            first_days.append(day)
            tags.append(own[start : start + MAX_TAGS_A_PART])
    at = array("I", accumulate(map(len, tags), initial=0))
    return AllSeries(first_days, (), {}, array("I", chain.from_iterable(tags)), at)


def _decode_days(order: list[int], days: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield each day with its tag. Format 3 counts days from a first one, and names their width."""
    first, code, packed_days, at = days if len(days) == 4 else (0, "i", *days)
    numbers = array(code, packed_days)
    for tag, (begin, end) in zip(order, pairwise(array("I", at)), strict=True):
        yield from ((first + number, tag) for number in numbers[begin:end])
