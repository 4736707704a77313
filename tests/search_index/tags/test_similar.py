"""The index agrees with plain loops over the sample: where each tag occurs, and what is alike."""

import math
from collections import defaultdict
from datetime import UTC, datetime

import msgspec
import pytest
from django.conf import settings

from econweb.search_index.models import OccurrenceBlock
from econweb.search_index.tags import similar
from econweb.search_index.tags.similar import LOOK_SECONDS, follow_index, similarities
from econweb.upstream.records import Tag
from tests.fake_service import a_tag
from tests.search_index.recorded import record_tags, tag, tags
from tests.search_index.reference import Owner, Reference

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, tzinfo=UTC)
SAMPLE = Reference(settings.SAMPLE_SERIES.parent)


@pytest.fixture
def sample_index(db: None) -> None:
    for (kind, number), counts in SAMPLE.counts.items():
        found = [
            msgspec.convert(a_tag(name, group_id=SAMPLE.groups[name], series_count=count), Tag)
            for name, count in counts.items()
        ]
        record_tags(kind, number, found, SAMPLE.series[kind, number], NOW)


@pytest.mark.slow
@pytest.mark.usefixtures("sample_index")
def test_index_has_every_occurrence_and_the_nearest_of_every_owner() -> None:
    SAMPLE.check_index()


@pytest.mark.usefixtures("sample_index")
def test_reasons_of_a_neighbour_are_the_shared_tags_that_weigh_most() -> None:
    weights = SAMPLE.weights
    owner = "release", 53
    first = similarities().nearest(owner)[0]
    own, theirs = weights[owner], weights[first.owner]
    shared = sorted(own.keys() & theirs.keys(), key=lambda name: (-own[name] * theirs[name], name))

    assert list(first.reasons) == shared[:5]


@pytest.mark.usefixtures("sample_index")
@pytest.mark.parametrize("name", ["gdp", "monthly", "unemployment"])
def test_companions_of_a_tag_are_those_of_plain_loops(name: str) -> None:
    columns: dict[str, dict[Owner, float]] = defaultdict(dict)
    for owner, own in SAMPLE.weights.items():
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
