"""Weights of tags for the similarities: for each owner of the index its heaviest tags.

The weight of a tag is the square root of its share of series, times the logarithm of how rare it is among owners.
"""

import math
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from econweb.search_index.models import IndexedTag, OccurrenceBlock, TaggedOwner
from econweb.search_index.tags.blocks import WHOLE, unpack
from econweb.search_index.tags.tag_list import count_uses
from econweb.upstream.queries import TAG_OWNERS

# The heaviest tags of an owner decide; with all of them a large index would take seconds and hundreds of megabytes.
MAX_TAGS = 64
# Frequency and adjustment say how series are made rather than what they are about.
FORMAL_GROUPS, FORMAL_WEIGHT = ("freq", "seas"), 0.25

Owner = tuple[str, int]
# For the key of a tag its position among the names, and what the root of its share is multiplied by.
Rarity = Mapping[int, tuple[int, float]]


class Column(NamedTuple):
    """Positions with a weight each, in arrays: the garbage collector would take a tenth of a second for tuples."""

    positions: "array[int]"
    weights: "array[float]"


def new_column() -> Column:
    return Column(array("I"), array("d"))


def read_rarity(generation: int) -> tuple[Sequence[str], Rarity]:
    """Return the names of the tags from A to Z, and the rarity of each; tags that every owner has count nothing."""
    owners = TaggedOwner.objects.filter(generation=generation).count()
    uses = count_uses(generation)
    rows = sorted(row for row in IndexedTag.objects.values_list("name", "pk", "group_id") if row[1] in uses)
    rarity = {}
    for position, (_, tag, group) in enumerate(rows):
        scale = FORMAL_WEIGHT if group in FORMAL_GROUPS else 1.0
        rarity[tag] = position, scale * math.log(owners / uses[tag])
    return [name for name, *_ in rows], rarity


def read_weights(generation: int, rarity: Rarity) -> Iterator[tuple[Owner, Column]]:
    """Yield each owner with its heaviest tags, heaviest first; together they have a length of 1."""
    found = OccurrenceBlock.objects.filter(generation=generation).order_by("pk")
    # The rows of a block are next to each other.
    rows = found.values_list("block", "tag", "packed").iterator(chunk_size=1000)
    sqrt = math.sqrt
    for _, of_block in groupby(rows, itemgetter(0)):
        weights = [defaultdict[int, list[tuple[float, int]]](list) for _ in TAG_OWNERS]
        for _, tag, packed in of_block:
            position, rare = rarity.get(tag, (0, 0.0))
            if rare:
                # Negative, so that the smallest pair is the heaviest tag, and the first of equal ones.
                for code, number, _, share in unpack(packed):
                    weights[code][number].append((-sqrt(share / WHOLE) * rare, position))
        for kind, owners in zip(TAG_OWNERS, weights, strict=True):
            for number, of_owner in owners.items():
                yield (kind, number), _heaviest(of_owner)


def _heaviest(weights: Sequence[tuple[float, int]]) -> Column:
    kept = [pair for pair in nsmallest(MAX_TAGS, weights) if pair[0] < 0]
    length = math.sqrt(sum(weight * weight for weight, _ in kept))
    return Column(array("I", [tag for _, tag in kept]), array("d", [-weight / length for weight, _ in kept]))
