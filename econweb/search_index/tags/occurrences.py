"""Occurrences of a tag: the categories and releases of the index that have it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from econweb.search_index.models import IndexedTag, OccurrenceBlock
from econweb.search_index.tags.blocks import unpack
from econweb.search_index.tags.tag_index import state
from econweb.upstream.queries import TAG_OWNERS

# The orders of occurrences; ties are by kind and number.
ORDERS = ("share", "series_count")


class Occurrence(NamedTuple):
    """A category or release that has the tag; the share is in millionths of its series."""

    kind: str
    number: int
    series_count: int
    share: int


@dataclass(frozen=True)
class Selection:
    """The wanted occurrences of a tag: their kind, order and page."""

    kind: str = ""
    order_by: str = "share"
    sort_order: str = "desc"
    offset: int = 0
    limit: int = 50


class Occurrences(NamedTuple):
    """One page of the places where a tag occurs, and how many categories and releases have it."""

    rows: Sequence[Occurrence]
    counts: dict[str, int]


def find_tag(name: str) -> IndexedTag | None:
    """Return the tag, if it occurs anywhere."""
    valid = OccurrenceBlock.objects.filter(generation=state().generation)
    # PostgreSQL refuses a NUL, and no tag has one.
    tag = None if "\0" in name else IndexedTag.objects.filter(name=name).first()
    return tag if tag and valid.filter(tag=tag).exists() else None


def find_occurrences(tag: IndexedTag, selection: Selection) -> Occurrences:
    rows = OccurrenceBlock.objects.filter(tag=tag, generation=state().generation).values_list("packed", flat=True)
    pairs = sorted(pair for packed in rows for pair in unpack(packed))
    counts = {TAG_OWNERS[kind]: count for kind, count in Counter(map(itemgetter(0), pairs)).items()}
    if selection.kind:
        pairs = [pair for pair in pairs if TAG_OWNERS[pair[0]] == selection.kind]
    # Stable, also when reversed: ties stay by kind and number.
    value = itemgetter(Occurrence._fields.index(selection.order_by))
    pairs.sort(key=value, reverse=selection.sort_order == "desc")
    shown = pairs[selection.offset : selection.offset + selection.limit]
    return Occurrences([Occurrence(TAG_OWNERS[kind], *rest) for kind, *rest in shown], counts)
