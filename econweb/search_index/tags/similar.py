"""Similarities of categories and releases by their tags, and of tags by where they occur.

Two owners are as alike as the cosine of the angle between their weights (`weights.py`).
"""

import math
import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest, nsmallest
from threading import Lock
from typing import NamedTuple

from django.db.models import Sum

from econweb.search_index.models import TaggedOwner
from econweb.search_index.tags.tag_index import State, state
from econweb.search_index.tags.weights import Column, Owner, new_column, read_rarity, read_weights

NEAREST, REASONS, COMPANIONS = 10, 5, 12
# Owners that are looked at for the companions of a tag: those in which it weighs most.
MAX_OWNERS = 200
# More than sums of floats differ by their order.
ROUNDING = 1e-8
# A request builds the weights of a small index itself, within a tenth of a second; a thread does so for a large one.
MAX_PAIRS_IN_REQUEST = 50_000
# A large index is built at most for this part of the time; until then the earlier one is used.
MAX_BUILDING = 1 / 20
LOOK_SECONDS = 3.0
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
    # Owners and tags by their positions in the columns.
    owners: Sequence[Owner] = ()
    tags: Sequence[str] = ()
    # The heaviest tags of each owner, and the owners of each tag; those that weigh most come first.
    vectors: Mapping[Owner, Column] = field(default_factory=dict)
    postings: Mapping[str, Column] = field(default_factory=dict)
    lengths: Sequence[float] = ()
    seconds: float = 0.0

    def nearest(self, owner: Owner) -> list[Neighbour]:
        """Return the most similar owners, best first; ties are by kind and number."""
        own = self.vectors.get(owner) or new_column()
        sums = [0.0] * len(self.owners)
        for tag, weight in zip(*own, strict=True):
            for other, other_weight in zip(*self.postings[self.tags[tag]], strict=True):
                sums[other] += weight * other_weight
        # Rounding keeps ties equal: sums of floats differ by the order of their parts.
        least = min(nlargest(NEAREST + 1, sums), default=0.0) - ROUNDING
        near = [(-round(total, 9), self.owners[index]) for index, total in enumerate(sums) if total >= least]
        best = sorted((total, other) for total, other in near if total < 0 and other != owner)[:NEAREST]
        return [Neighbour(other, min(-total, 1.0), self._reasons(own, other)) for total, other in best]

    def _reasons(self, own: Column, other: Owner) -> list[str]:
        theirs = dict(zip(*self.vectors[other], strict=True))
        shared = [(-weight * theirs[tag], tag) for tag, weight in zip(*own, strict=True) if tag in theirs]
        return [self.tags[tag] for _, tag in nsmallest(REASONS, shared)]

    def companions(self, name: str) -> list[str]:
        """Return the tags that are spread over owners most similarly, best first."""
        owners, weights = self.postings.get(name) or new_column()
        sums: dict[int, float] = {}
        for index, weight in zip(owners[:MAX_OWNERS], weights, strict=False):
            for other, other_weight in zip(*self.vectors[self.owners[index]], strict=True):
                sums[other] = sums.get(other, 0.0) + weight * other_weight
        cosines = [(-total / self.lengths[other], other) for other, total in sums.items()]
        best = (self.tags[other] for _, other in nsmallest(COMPANIONS + 1, cosines))
        return [other for other in best if other != name][:COMPANIONS]


class _Memory:
    built = Similarities()
    building = Lock()


def similarities() -> Similarities:
    """Return the weights of the index; those of a large one are earlier ones, until a thread has built them."""
    now = state()
    if _Memory.built.state != now and _count_pairs(now) <= MAX_PAIRS_IN_REQUEST:
        _build_if_changed(now)
    return _Memory.built


def follow_index() -> float:
    """Build the weights of a large index after a change; return the seconds until the next look."""
    now = state()
    if _Memory.built.state == now or _count_pairs(now) <= MAX_PAIRS_IN_REQUEST:
        return LOOK_SECONDS
    _build_if_changed(now)
    return max(LOOK_SECONDS, _Memory.built.seconds / MAX_BUILDING)


@lru_cache(maxsize=1)
def _count_pairs(valid: State) -> int:
    owners = TaggedOwner.objects.filter(generation=valid.generation)
    return int(owners.aggregate(pairs=Sum("tags", default=0))["pairs"])


def _build_if_changed(now: State) -> None:
    with _Memory.building:
        if _Memory.built.state != now:
            _Memory.built = _build(now)


def _build(now: State) -> Similarities:
    began = time.thread_time()
    names, rarity = read_rarity(now.generation)
    vectors = dict(read_weights(now.generation, rarity))
    postings: list[list[tuple[float, int]]] = [[] for _ in names]
    for index, column in enumerate(vectors.values()):
        for tag, weight in zip(*column, strict=True):
            postings[tag].append((-weight, index))
    for owner in TaggedOwner.objects.filter(generation=now.generation).values_list("kind", "number"):
        vectors.setdefault(owner, new_column())
    columns = [_column(sorted(owners)) for owners in postings]
    lengths = [math.sqrt(sum(weight * weight for weight in column.weights)) for column in columns]
    spent = time.thread_time() - began
    return Similarities(now, [*vectors], names, vectors, dict(zip(names, columns, strict=True)), lengths, spent)


def _column(postings: Sequence[tuple[float, int]]) -> Column:
    return Column(array("I", [index for _, index in postings]), array("d", [-weight for weight, _ in postings]))
