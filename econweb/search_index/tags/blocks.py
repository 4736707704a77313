"""Blocks of the index of tags: owners that are recorded together, with one row for each of their tags.

A row for each tag of each owner would take several times as long to write, and several times the space.
"""

import secrets
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from struct import Struct
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from econweb.search_index.models import OccurrenceBlock, TaggedOwner
from econweb.upstream.queries import TAG_OWNERS
from econweb.upstream.records import TagPage

# A share of 1, of a tag and of an owner's series.
WHOLE, WHOLE_OF_OWNER = 1_000_000, 10_000
FREQUENCIES = ("daily", "weekly", "monthly", "quarterly", "annual")
UNADJUSTED, DISCONTINUED = "nsa", "discontinued"
# The kind of an owner as its place in TAG_OWNERS, and its number, count and share.
Pair = tuple[int, int, int, int]
_PAIR = Struct("<BIQI")
OWNERS, BLOCKS = TaggedOwner._meta.db_table, OccurrenceBlock._meta.db_table


class TagFacts(NamedTuple):
    """The facts of a tag that are the same for all of its owners."""

    name: str
    group_id: str
    popularity: int
    notes: str | None


class OwnerTags(NamedTuple):
    """The tags of a category or release by the keys of their source; the facts may be those of more tags."""

    counts: Mapping[Any, int]
    facts: Mapping[Any, TagFacts]
    series: int | None
    fetched: datetime


class OwnerRow(NamedTuple):
    """A category or release with its shares of series: the columns of its row."""

    fetched: datetime
    kind: str
    number: int
    tags: int
    series: int | None
    daily: int
    weekly: int
    monthly: int
    quarterly: int
    annual: int
    adjusted: int
    discontinued: int


def owner_tags(page: TagPage) -> OwnerTags:
    """Return the tags that the service sent; of two with one name the larger count stays."""
    kept = sorted(page.all_tags, key=attrgetter("series_count"))
    facts = {tag.name: TagFacts(tag.name, tag.group_id, tag.popularity, tag.notes) for tag in kept}
    return OwnerTags({tag.name: tag.series_count for tag in kept}, facts, page.series, page.freshness.fetched)


class Block:
    """Owners with their tags, which are written together."""

    def __init__(self) -> None:
        self.owners: list[OwnerRow] = []
        self.size = 0
        # Each tag as it was last seen, and its packed pairs, by name.
        self.facts: dict[str, TagFacts] = {}
        self._pairs: defaultdict[str, list[bytes]] = defaultdict(list)
        # The facts of the last source, the same lists by its keys, and its keys for each share of a row.
        self._learned: Mapping[Any, TagFacts] = {}
        self._lists: Mapping[Any, list[bytes]] = {}
        self._shared: Sequence[Sequence[Any]] = ()

    def add(self, kind: str, number: int, tags: OwnerTags) -> None:
        if tags.facts is not self._learned:
            self._learn(tags.facts)
        counts = tags.counts
        # Without series there is no share.
        whole = max([tags.series or 0, *counts.values()]) or 1
        code = TAG_OWNERS.index(kind)
        # Many tags of an owner have the same count, and so the same pair.
        pairs = {count: _PAIR.pack(code, number, count, round(WHOLE * count / whole)) for count in {*counts.values()}}
        # Millions of pairs: a loop in Python would take three times as long.
        added = map(list.append, map(self._lists.__getitem__, counts), map(pairs.__getitem__, counts.values()))
        deque(added, maxlen=0)
        self.size += len(counts)
        shares = [_share(sum(counts.get(key, 0) for key in keys), whole) for keys in self._shared]
        self.owners.append(OwnerRow(tags.fetched, kind, number, len(counts), tags.series, *shares))

    def _learn(self, facts: Mapping[Any, TagFacts]) -> None:
        self._learned = facts
        self.facts |= {tag.name: tag for tag in facts.values()}
        self._lists = {key: self._pairs[tag.name] for key, tag in facts.items()}
        keys = {tag.name: [key] for key, tag in facts.items()}
        adjusted = [key for key, tag in facts.items() if tag.group_id == "seas" and tag.name != UNADJUSTED]
        self._shared = [*(keys.get(name, []) for name in FREQUENCIES), adjusted, keys.get(DISCONTINUED, [])]

    def packed(self) -> dict[str, bytes]:
        """Return the pairs of each tag that an owner has, in the order of the owners."""
        return {name: b"".join(pairs) for name, pairs in self._pairs.items() if pairs}

    def is_one_of_them(self) -> Q:
        """Return the condition for these owners."""
        numbers: dict[str, list[int]] = {kind: [] for kind in TAG_OWNERS}
        for owner in self.owners:
            numbers[owner.kind].append(owner.number)
        return Q(*(Q(kind=kind, number__in=found) for kind, found in numbers.items()), _connector=Q.OR)


def unpack(packed: bytes | memoryview) -> Iterator[Pair]:
    return _PAIR.iter_unpack(packed)


def insert(owners: Iterable[OwnerRow], generation: int, pairs: Mapping[int, bytes]) -> None:
    """Write the owners of a block, and the packed pairs of each tag by its key."""
    number, adapt = secrets.randbits(60), connection.ops.adapt_datetimefield_value
    rows = [(generation, number, adapt(fetched), *rest) for fetched, *rest in owners]
    _insert_rows(OWNERS, ("generation", "block", *OwnerRow._fields), rows)
    _insert_pairs((generation, number, tag, packed) for tag, packed in pairs.items())


def take_out(owners: QuerySet[TaggedOwner]) -> dict[int, bytes]:
    """Remove owners from their blocks, and return what they had by tag; the others of a block stay."""
    held = list(owners.values_list("kind", "number", "block"))
    keys = {(TAG_OWNERS.index(kind), number) for kind, number, _ in held}
    # The rows of a block stay next to each other, as `weights.py` reads them.
    rows = OccurrenceBlock.objects.filter(block__in={block for _, _, block in held}).order_by("block", "pk")
    taken, left = defaultdict[int, bytes](bytes), []
    for generation, block, tag, packed in rows.values_list("generation", "block", "tag_id", "packed"):
        pairs = list(unpack(packed))
        taken[tag] += _pack(pair for pair in pairs if pair[:2] in keys)
        if rest := _pack(pair for pair in pairs if pair[:2] not in keys):
            left.append((generation, block, tag, rest))
    rows.delete()
    owners.delete()
    _insert_pairs(left)
    return {tag: pairs for tag, pairs in taken.items() if pairs}


def _pack(pairs: Iterable[Pair]) -> bytes:
    return b"".join(_PAIR.pack(*pair) for pair in pairs)


def _insert_pairs(rows: Iterable[tuple[int, int, int, bytes]]) -> None:
    columns = ("generation", "block", "tag_id", "packed", "owners")
    _insert_rows(BLOCKS, columns, [(*row, len(row[-1]) // _PAIR.size) for row in rows])


def _insert_rows(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows; models would take five times as long."""
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def _share(part: int, whole: int) -> int:
    return round(WHOLE_OF_OWNER * min(part / whole, 1))
