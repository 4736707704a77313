"""The index agrees with plain loops over the sample: where each tag occurs, and what is alike."""

import csv
import math
from collections import Counter, defaultdict
from datetime import UTC, datetime

import msgspec
import pytest
from django.conf import settings

from econweb.search_index.models import IndexedTag, OccurrenceBlock
from econweb.search_index.tags import similar
from econweb.search_index.tags.occurrences import Selection, find_occurrences, find_tag
from econweb.search_index.tags.similar import LOOK_SECONDS, follow_index, similarities
from econweb.upstream.records import Tag
from tests.fake_service import a_tag
from tests.search_index.tags.test_tag_index import record_tags, tag, tags

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, tzinfo=UTC)
Owner = tuple[str, int]
Counts = dict[Owner, dict[str, int]]


def read(name: str) -> list[dict[str, str]]:
    with (settings.SAMPLE_SERIES.parent / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


GROUPS = {row["name"]: row["group_id"] for row in read("tags")}


def count_sample() -> tuple[Counts, dict[Owner, int]]:
    """Count by plain loops how many series of each owner have each tag, and how many series it has."""
    names = defaultdict(list)
    for row in read("series_tags"):
        names[row["series_id"]].append(row["tag_name"])
    counts: dict[Owner, Counter[str]] = defaultdict(Counter)
    series: Counter[Owner] = Counter()
    for kind, plural in (("category", "categories"), ("release", "releases")):
        for row in read(f"series_{plural}"):
            owner = kind, int(row[f"{kind}_id"])
            counts[owner].update(names[row["series_id"]])
            series[owner] += 1
    return {owner: dict(found) for owner, found in counts.items()}, series


COUNTS, SERIES = count_sample()


@pytest.fixture
def sample_index(db: None) -> None:
    for (kind, number), counts in COUNTS.items():
        found = [
            msgspec.convert(a_tag(name, group_id=GROUPS[name], series_count=count), Tag)
            for name, count in counts.items()
        ]
        record_tags(kind, number, found, SERIES[kind, number], NOW)


def reference_weights() -> dict[Owner, dict[str, float]]:
    uses = Counter(name for counts in COUNTS.values() for name in counts)
    weights = {}
    for owner, counts in COUNTS.items():
        own = {}
        for name, count in counts.items():
            share = round(1_000_000 * count / SERIES[owner]) / 1_000_000
            own[name] = math.sqrt(share) * math.log(len(COUNTS) / uses[name])
            if GROUPS[name] in ("freq", "seas"):
                own[name] /= 4
        heaviest = sorted(own, key=lambda name: (-own[name], name))[:64]
        length = math.sqrt(sum(own[name] ** 2 for name in heaviest))
        weights[owner] = {name: own[name] / length for name in heaviest if own[name] > 0}
    return weights


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    return math.fsum(one[name] * other[name] for name in one if name in other)


@pytest.mark.usefixtures("sample_index")
def test_index_has_every_occurrence_of_the_sample() -> None:
    expected = defaultdict(list)
    for (kind, number), counts in COUNTS.items():
        for name, count in counts.items():
            expected[name].append((-round(1_000_000 * count / SERIES[kind, number]), kind, number, count))

    for name, places in expected.items():
        found = find_tag(name)
        assert found
        rows = find_occurrences(found, Selection(limit=1000)).rows
        assert [(-row.share, row.kind, row.number, row.series_count) for row in rows] == sorted(places)
    assert IndexedTag.objects.count() == len(expected)


@pytest.mark.usefixtures("sample_index")
def test_nearest_of_every_owner_are_those_of_plain_loops() -> None:
    weights = reference_weights()

    for owner, own in weights.items():
        found = similarities().nearest(owner)
        near = [(-round(cosine(own, theirs), 9), other) for other, theirs in weights.items() if other != owner]
        expected = sorted(pair for pair in near if pair[0] < 0)[:10]
        assert [one.owner for one in found] == [other for _, other in expected]
        assert [one.similarity for one in found] == pytest.approx([-value for value, _ in expected])


@pytest.mark.usefixtures("sample_index")
def test_reasons_of_a_neighbour_are_the_shared_tags_that_weigh_most() -> None:
    weights = reference_weights()
    owner = "release", 53
    first = similarities().nearest(owner)[0]
    own, theirs = weights[owner], weights[first.owner]
    shared = sorted(own.keys() & theirs.keys(), key=lambda name: (-own[name] * theirs[name], name))

    assert list(first.reasons) == shared[:5]


@pytest.mark.usefixtures("sample_index")
@pytest.mark.parametrize("name", ["gdp", "monthly", "unemployment"])
def test_companions_of_a_tag_are_those_of_plain_loops(name: str) -> None:
    columns: dict[str, dict[Owner, float]] = defaultdict(dict)
    for owner, own in reference_weights().items():
        for other, weight in own.items():
            columns[other][owner] = weight

    def likeness(other: str) -> float:
        one, two = columns[name], columns[other]
        both = math.fsum(one[owner] * two[owner] for owner in one.keys() & two.keys())
        return both / math.sqrt(math.fsum(weight**2 for weight in two.values()))

    found = similarities().companions(name)
    best = sorted((likeness(other) for other in columns if other != name), reverse=True)[:12]

    assert [likeness(other) for other in found] == pytest.approx(best)
    assert similarities().companions("nowhere") == []


def test_similarities_follow_a_change_of_the_index() -> None:
    record_tags("category", 1, tags(gdp=10, usa=10), 10, NOW)
    record_tags("category", 2, tags(cpi=10, usa=10), 10, NOW)
    before = similarities().nearest(("category", 1))
    record_tags("category", 3, tags(gdp=10, usa=10), 10, NOW)

    assert before == []
    assert [one.owner for one in similarities().nearest(("category", 1))] == [("category", 3)]


def test_similarities_of_a_large_index_are_built_by_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    record_tags("category", 1, tags(gdp=10), 10, NOW)
    record_tags("category", 2, tags(usa=10), 10, NOW)
    assert follow_index() == LOOK_SECONDS
    before = similarities()
    monkeypatch.setattr(similar, "MAX_PAIRS_IN_REQUEST", 2)
    record_tags("category", 3, tags(gdp=10), 10, NOW)
    during = similarities()

    assert during is before
    assert follow_index() >= LOOK_SECONDS
    assert [one.owner for one in similarities().nearest(("category", 1))] == [("category", 3)]


def test_frequency_and_adjustment_count_a_quarter() -> None:
    record_tags("category", 1, [tag("monthly", group_id="freq"), tag("gdp")], 10, NOW)
    record_tags("category", 2, [tag("monthly", group_id="freq")], 10, NOW)
    record_tags("category", 3, [tag("gdp")], 10, NOW)

    assert [one.owner[1] for one in similarities().nearest(("category", 1))] == [3, 2]


def test_owner_without_tags_has_no_neighbours() -> None:
    record_tags("category", 1, [], 0, NOW)
    record_tags("category", 2, tags(gdp=1), 1, NOW)

    assert similarities().nearest(("category", 1)) == []
    assert similarities().nearest(("category", 99)) == []
    assert OccurrenceBlock.objects.count() == 1
