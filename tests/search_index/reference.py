"""Plain loops over the files of a catalogue: where each tag occurs, and which owners are alike."""

import csv
import math
from collections import Counter, defaultdict
from functools import cached_property
from pathlib import Path

import pytest

from econweb.search_index.models import IndexedTag
from econweb.search_index.tags.occurrences import find_occurrences
from econweb.search_index.tags.similar import Neighbour, similarities

Owner = tuple[str, int]
# For each tag its owners, the largest share first, each with the number of series.
Occurrences = dict[str, list[tuple[int, str, int, int]]]


class Reference:
    """The contents of an index of the catalogue in this folder."""

    def __init__(self, folder: Path) -> None:
        self.groups = {row["name"]: row["group_id"] for row in _read(folder, "tags")}
        names = {row["id"]: list[str]() for row in _read(folder, "series") if row["realtime_end"] == "9999-12-31"}
        for row in _read(folder, "series_tags"):
            names.get(row["series_id"], []).append(row["tag_name"])
        self.series: Counter[Owner] = Counter()
        self.counts: dict[Owner, Counter[str]] = {}
        for kind, plural in (("category", "categories"), ("release", "releases")):
            self.counts |= {(kind, int(row[f"{kind}_id"])): Counter[str]() for row in _read(folder, plural)}
            for row in _read(folder, f"series_{plural}"):
                owner = kind, int(row[f"{kind}_id"])
                self.counts[owner].update(names.get(row["series_id"], []))
                self.series[owner] += row["series_id"] in names

    def share(self, owner: Owner, name: str) -> int:
        return round(1_000_000 * self.counts[owner][name] / self.series[owner])

    def occurrences(self) -> Occurrences:
        found: Occurrences = defaultdict(list)
        for owner, counts in self.counts.items():
            for name, count in counts.items():
                found[name].append((-self.share(owner, name), *owner, count))
        return {name: sorted(places) for name, places in found.items()}

    @cached_property
    def weights(self) -> dict[Owner, dict[str, float]]:
        uses = Counter(name for counts in self.counts.values() for name in counts)
        weights = {}
        for owner, counts in self.counts.items():
            own = {}
            for name in counts:
                own[name] = math.sqrt(self.share(owner, name) / 1_000_000) * math.log(len(self.counts) / uses[name])
                if self.groups[name] in ("freq", "seas"):
                    own[name] /= 4
            heaviest = sorted(own, key=lambda name: (-own[name], name))[:64]
            length = math.sqrt(sum(own[name] ** 2 for name in heaviest))
            weights[owner] = {name: own[name] / length for name in heaviest if own[name] > 0}
        return weights

    def nearest(self, owner: Owner) -> list[tuple[Owner, float]]:
        own = self.weights[owner]
        near = [(-round(cosine(own, theirs), 9), other) for other, theirs in self.weights.items() if other != owner]
        return [(other, -value) for value, other in sorted(pair for pair in near if pair[0] < 0)[:10]]

    def check_index(self) -> None:
        """Compare every occurrence, and the nearest of every owner."""
        assert stored_occurrences() == self.occurrences()
        near = stored_neighbours(self)
        for owner in self.counts:
            expected = self.nearest(owner)
            assert [one.owner for one in near[owner]] == [other for other, _ in expected]
            assert [one.similarity for one in near[owner]] == pytest.approx([value for _, value in expected])


def stored_occurrences() -> Occurrences:
    found = {tag.name: find_occurrences(tag).rows for tag in IndexedTag.objects.all()}
    return {
        name: [(-row.share, row.kind, row.number, row.series_count) for row in rows]
        for name, rows in found.items()
        if rows
    }


def stored_neighbours(reference: Reference) -> dict[Owner, list[Neighbour]]:
    return {owner: similarities().nearest(owner) for owner in reference.counts}


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    return math.fsum(one[name] * other[name] for name in one if name in other)


def _read(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
