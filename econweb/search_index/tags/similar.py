"""Similarities of categories and releases by their tags, and of tags by where they occur.

The weight of a tag is the square root of its share of series, times the logarithm of how rare it is among owners.
An owner counts with its heaviest tags; two owners are as alike as the cosine of the angle between their weights.
"""

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import nlargest
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import NamedTuple

from django.db.models import Sum

from econweb.search_index.models import IndexedTag, OccurrenceBlock, TaggedOwner
from econweb.search_index.tags.blocks import KINDS, WHOLE, unpack
from econweb.search_index.tags.tag_index import State, state

# The heaviest tags of an owner decide; with all of them a large index would take seconds and hundreds of megabytes.
MAX_TAGS = 64
# Frequency and adjustment say how series are made rather than what they are about.
FORMAL_GROUPS, FORMAL_WEIGHT = ("freq", "seas"), 0.25
NEAREST, REASONS, COMPANIONS = 10, 5, 12
# Owners that are looked at for the companions of a tag: those in which it weighs most.
MAX_OWNERS = 200
# More than sums of floats differ by their order.
ROUNDING = 1e-8
# A large index is built at most for this part of the time; until then the earlier one is used.
MAX_BUILDING = 1 / 20
# A smaller index is built again at each change.
QUICK_SECONDS = 0.25

Owner = tuple[str, int]
# The name of each tag, and what the root of its share is multiplied by.
Rarity = Mapping[int, tuple[str, float]]
NOTHING = State(0, 0)


class Neighbour(NamedTuple):
    """A similar owner, and the tags that contribute most to it."""

    owner: Owner
    similarity: float
    reasons: Sequence[str]


@dataclass(frozen=True)
class Similarities:
    """The weights of all owners, each of length 1, and where each tag has one."""

    state: State = NOTHING
    vectors: Mapping[Owner, Mapping[str, float]] = field(default_factory=dict)
    # Owners by their number in the postings, which are numbers because adding up tuples takes three times as long.
    owners: Sequence[Owner] = ()
    # The owners of each tag, those in which it weighs most first.
    postings: Mapping[str, Sequence[tuple[float, int]]] = field(default_factory=dict)
    lengths: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def nearest(self, owner: Owner) -> list[Neighbour]:
        """Return the most similar owners, best first; ties are by kind and number."""
        own = self.vectors.get(owner, {})
        sums = [0.0] * len(self.owners)
        for tag, weight in own.items():
            for other_weight, other in self.postings[tag]:
                sums[other] += weight * other_weight
        # Rounding keeps ties equal: sums of floats differ by the order of their parts.
        least = min(nlargest(NEAREST + 1, sums), default=0.0) - ROUNDING
        near = [(-round(total, 9), self.owners[index]) for index, total in enumerate(sums) if total >= least]
        best = sorted((total, other) for total, other in near if total < 0 and other != owner)[:NEAREST]
        return [Neighbour(other, min(-total, 1.0), self._reasons(own, other)) for total, other in best]

    def _reasons(self, own: Mapping[str, float], other: Owner) -> list[str]:
        theirs = self.vectors[other]
        shared = sorted((-own[tag] * theirs[tag], tag) for tag in own.keys() & theirs.keys())
        return [tag for _, tag in shared[:REASONS]]

    def companions(self, tag: str) -> list[str]:
        """Return the tags that are spread over owners most similarly, best first."""
        sums: defaultdict[str, float] = defaultdict(float)
        for weight, index in self.postings.get(tag, ())[:MAX_OWNERS]:
            for other, other_weight in self.vectors[self.owners[index]].items():
                sums[other] += weight * other_weight
        sums.pop(tag, None)
        cosines = ((-total / self.lengths[other], other) for other, total in sums.items())
        return [other for _, other in sorted(cosines)[:COMPANIONS]]


@cache
def _lock() -> Lock:
    return Lock()


class _Memory:
    built = Similarities()
    # A monotonic time; until then a large index is not built again.
    good_until = 0.0


def similarities() -> Similarities:
    """Return the weights of the index; one thread builds them after a change, while others use the earlier ones."""
    now = state()
    if _Memory.built.state == now or (_Memory.built.vectors and time.monotonic() < _Memory.good_until):
        return _Memory.built
    if _lock().acquire(blocking=not _Memory.built.vectors):
        try:
            if _Memory.built.state != now:
                _Memory.built = _build(now)
                taken = _Memory.built.seconds
                _Memory.good_until = time.monotonic() + (taken / MAX_BUILDING if taken > QUICK_SECONDS else 0)
        finally:
            _lock().release()
    return _Memory.built


def _build(now: State) -> Similarities:
    began = time.thread_time()
    rarity = _rarity(now.generation)
    vectors: dict[Owner, dict[str, float]] = {}
    postings: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for index, (owner, weights) in enumerate(_weights(now.generation, rarity)):
        vectors[owner] = weights
        for tag, weight in weights.items():
            postings[tag].append((weight, index))
    for owner in TaggedOwner.objects.filter(generation=now.generation).values_list("kind", "number"):
        vectors.setdefault(owner, {})
    for owners in postings.values():
        owners.sort(reverse=True)
    lengths = {tag: math.sqrt(sum(weight * weight for weight, _ in owners)) for tag, owners in postings.items()}
    return Similarities(now, vectors, [*vectors], postings, lengths, time.thread_time() - began)


def _rarity(generation: int) -> Rarity:
    """Return the name of each tag and what its share is multiplied by; tags that every owner has count nothing."""
    owners = TaggedOwner.objects.filter(generation=generation).count()
    found = OccurrenceBlock.objects.filter(generation=generation)
    uses = dict(found.values_list("tag").annotate(Sum("owners")))
    rarity = {}
    for tag, name, group in IndexedTag.objects.values_list("pk", "name", "group_id"):
        if tag in uses:
            scale = FORMAL_WEIGHT if group in FORMAL_GROUPS else 1.0
            rarity[tag] = name, scale * math.log(owners / uses[tag])
    return rarity


def _weights(generation: int, rarity: Rarity) -> Iterator[tuple[Owner, dict[str, float]]]:
    """Yield each owner with its heaviest tags."""
    found = OccurrenceBlock.objects.filter(generation=generation).order_by("pk")
    # The rows of a block are next to each other.
    rows = found.values_list("block", "tag", "packed").iterator(chunk_size=1000)
    for _, of_block in groupby(rows, itemgetter(0)):
        weights: defaultdict[tuple[int, int], list[tuple[float, str]]] = defaultdict(list)
        for _, tag, packed in of_block:
            name, rare = rarity.get(tag, ("", 0.0))
            if rare:
                for kind, number, _, share in unpack(packed):
                    weights[kind, number].append((-math.sqrt(share / WHOLE) * rare, name))
        for (kind, number), of_owner in weights.items():
            yield (KINDS[kind], number), _heaviest(of_owner)


def _heaviest(weights: Sequence[tuple[float, str]]) -> dict[str, float]:
    """Return the heaviest tags by name, with a length of 1 together."""
    kept = sorted(pair for pair in weights if pair[0] < 0)[:MAX_TAGS]
    length = math.sqrt(sum(weight * weight for weight, _ in kept))
    return {name: -weight / length for weight, name in kept}
