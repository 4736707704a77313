"""Occurrences of a tag: the categories and releases of the index that have it."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from econweb.search_index.models import IndexedTag, OccurrenceBlock
from econweb.search_index.tags.blocks import unpack
from econweb.search_index.tags.tag_index import state
from econweb.upstream.queries import TAG_OWNERS

# The orders of occurrences; ties are by kind and number.
ORDERS = ("series_count", "share")


class Occurrence(NamedTuple):
    """A category or release that has the tag; the share is in millionths of its series."""

    kind: str
    number: int
    series_count: int
    share: int


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


def find_occurrences(
    tag: IndexedTag, kind: str = "", order_by: str = "share", sort_order: str = "desc", rows: slice = slice(None)
) -> Occurrences:
    """Return the occurrences of a tag, at owners of one kind or of both; ties are by kind and number."""
    blocks = OccurrenceBlock.objects.filter(tag=tag, generation=state().generation).values_list("packed", flat=True)
    pairs = sorted(pair for packed in blocks for pair in unpack(packed))
    counts = {TAG_OWNERS[code]: count for code, count in Counter(map(itemgetter(0), pairs)).items()}
    if kind:
        pairs = [pair for pair in pairs if TAG_OWNERS[pair[0]] == kind]
    # Stable, also when reversed: ties stay by kind and number.
    pairs.sort(key=itemgetter(Occurrence._fields.index(order_by)), reverse=sort_order == "desc")
    return Occurrences([Occurrence(TAG_OWNERS[code], *rest) for code, *rest in pairs[rows]], counts)
