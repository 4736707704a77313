"""Blocks of the index of tags: owners that are recorded together, with one row for each of their tags.

A row for each tag of each owner would take several times as long to write, and several times the space.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from struct import Struct
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from econweb.search_index.models import OccurrenceBlock, TaggedOwner
from econweb.upstream.queries import TAG_OWNERS
from econweb.upstream.records import Tag, TagPage

# A share of 1, of a tag and of an owner's series.
WHOLE, WHOLE_OF_OWNER = 1_000_000, 10_000
FREQUENCIES = ("daily", "weekly", "monthly", "quarterly", "annual")
UNADJUSTED, DISCONTINUED = "nsa", "discontinued"
# The kind of an owner as its place in this list, and its number, count and share.
KINDS = TAG_OWNERS
Pair = tuple[int, int, int, int]
_PAIR = Struct("<BIQI")
BLOCKS = OccurrenceBlock._meta.db_table


class TagFacts(NamedTuple):
    """The facts of a tag that are the same for all of its owners."""

    group_id: str
    popularity: int
    notes: str | None


class OwnerTags(NamedTuple):
    """The tags of a category or release by name; the facts may be those of more tags."""

    counts: Mapping[str, int]
    facts: Mapping[str, TagFacts]
    series: int | None
    fetched: datetime


def owner_tags(page: TagPage) -> OwnerTags:
    """Return the tags that the service sent; of two with one name the larger count stays."""
    kept = sorted(page.all_tags, key=_by_count)
    facts = {tag.name: TagFacts(tag.group_id, tag.popularity, tag.notes) for tag in kept}
    return OwnerTags({tag.name: tag.series_count for tag in kept}, facts, page.series, page.freshness.fetched)


class Block:
    """Owners with their tags, which `insert` writes."""

    def __init__(self) -> None:
        self.owners: list[TaggedOwner] = []
        self.packed: defaultdict[str, bytearray] = defaultdict(bytearray)
        self.size = 0
        # Each tag as it was last seen.
        self.facts: dict[str, TagFacts] = {}
        self._learned: Mapping[str, TagFacts] = {}
        self._adjusted: list[str] = []

    def add(self, kind: str, number: int, tags: OwnerTags) -> None:
        counts = tags.counts
        # Without series there is no share.
        whole = max([tags.series or 0, *counts.values()]) or 1
        code, pack, packed = KINDS.index(kind), _PAIR.pack, self.packed
        for name, count in counts.items():
            packed[name] += pack(code, number, count, round(WHOLE * count / whole))
        if tags.facts is not self._learned:
            self._learn(tags.facts)
        self.size += len(counts)
        owner = TaggedOwner(kind=kind, number=number, fetched=tags.fetched, tags=len(counts), series=tags.series)
        for name in (*FREQUENCIES, DISCONTINUED):
            setattr(owner, name, _share(counts.get(name, 0), whole))
        owner.adjusted = _share(sum(counts.get(name, 0) for name in self._adjusted), whole)
        self.owners.append(owner)

    def _learn(self, facts: Mapping[str, TagFacts]) -> None:
        self._learned = facts
        self.facts.update(facts)
        self._adjusted = [name for name in facts if facts[name].group_id == "seas" and name != UNADJUSTED]

    def is_one_of_them(self) -> Q:
        """Return the condition for these owners."""
        numbers: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for owner in self.owners:
            numbers[owner.kind].append(owner.number)
        return Q(*(Q(kind=kind, number__in=found) for kind, found in numbers.items()), _connector=Q.OR)


def unpack(packed: bytes | memoryview) -> Iterator[Pair]:
    return _PAIR.iter_unpack(packed)


def insert(block: Block, generation: int, ids: Mapping[str, int]) -> None:
    """Write a block without the tags that have no id."""
    number = secrets.randbits(60)
    for owner in block.owners:
        owner.generation, owner.block = generation, number
    TaggedOwner.objects.bulk_create(block.owners)
    _insert_rows((generation, number, tag, bytes(block.packed[name])) for name, tag in ids.items())


def take_out(owners: QuerySet[TaggedOwner]) -> dict[int, bytes]:
    """Remove owners from their blocks, and return what they had by tag; the others of a block stay."""
    held = list(owners.values_list("kind", "number", "block"))
    keys = {(KINDS.index(kind), number) for kind, number, _ in held}
    rows = OccurrenceBlock.objects.filter(block__in={block for _, _, block in held})
    taken, left = defaultdict[int, bytes](bytes), []
    for generation, block, tag, packed in rows.values_list("generation", "block", "tag_id", "packed"):
        pairs = list(unpack(packed))
        taken[tag] += _pack(pair for pair in pairs if pair[:2] in keys)
        if rest := _pack(pair for pair in pairs if pair[:2] not in keys):
            left.append((generation, block, tag, rest))
    rows.delete()
    owners.delete()
    _insert_rows(left)
    return {tag: pairs for tag, pairs in taken.items() if pairs}


def _pack(pairs: Iterable[Pair]) -> bytes:
    return b"".join(_PAIR.pack(*pair) for pair in pairs)


def _insert_rows(rows: Iterable[tuple[int, int, int, bytes]]) -> None:
    """Insert rows; models would take five times as long."""
    statement = f"INSERT INTO {BLOCKS} (generation, block, tag_id, packed, owners) VALUES (%s, %s, %s, %s, %s)"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(*row, len(row[-1]) // _PAIR.size) for row in rows])


def _by_count(tag: Tag) -> int:
    return tag.series_count


def _share(part: int, whole: int) -> int:
    return round(WHOLE_OF_OWNER * min(part / whole, 1))
