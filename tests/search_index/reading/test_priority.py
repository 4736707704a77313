"""The reader of the index beside 8 users, in front of a service with 500 categories and 120 requests a minute."""

from statistics import fmean

import pytest
from pytest_django import Settings

from econweb.search_index.reading.reader import Reader
from econweb.search_index.tags import tag_index
from econweb.serving.background import request_tags
from econweb.upstream import service
from econweb.upstream.queries import TagQuery
from tests.search_index.reading.conftest import World, simulate

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("pause", [7.0, 3.0])
def test_reader_leaves_waits_of_users_as_they_are(world: World, pause: float) -> None:
    """With pauses of 3 s, users ask for more than the rate limit allows."""
    world.knows(500)
    alone = simulate(world, 10, pause, None)
    world.moment += 86_400
    service.upstream.cache_clear()
    world.sent.clear()
    beside = simulate(world, 10, pause, Reader(request_tags))

    assert fmean(beside) <= 1.1 * fmean(alone) + 0.01
    assert world.most_in_a_minute() <= 120
    assert tag_index.coverage().read > (20 if pause > 5 else 0)


@pytest.mark.slow
def test_reader_takes_its_share_and_reads_nothing_twice_while_fresh(world: World) -> None:
    world.knows(500)
    world.read(Reader(request_tags), 42 * 60)

    assert (len(world.sent), len(set(world.asked()))) == (500, 500)
    assert world.most_in_a_minute() <= 12
    assert tag_index.coverage()[:2] == (500, 500)

    world.read(Reader(request_tags), 60 * 60)
    assert len(world.sent) == 500


def test_reader_obeys_its_setting(world: World, settings: Settings) -> None:
    settings.ECON_BACKGROUND_SHARE = 0.5
    world.knows(100)
    world.read(Reader(request_tags), 60)

    assert 55 <= len(world.sent) <= 61


def test_reader_sends_nothing_while_a_user_waits(world: World) -> None:
    world.knows(3)
    reader = Reader(request_tags)
    with service.upstream().client.visitor_slots.hold_slot():
        world.read(reader, 60)
    before = len(world.sent)
    world.read(reader, 10)

    assert (before, len(world.sent)) == (0, 2)


def test_reader_charges_each_page_of_a_large_set(world: World) -> None:
    world.knows(2)
    reader = Reader(request_tags)
    world.service.has(
        "category", 1, [{**tag, "name": f"{n}"} for n in range(2500) for tag in world.service.tags["category", "2"][:1]]
    )
    world.read(reader, 14)

    assert world.asked() == [1, 1, 1]
    world.read(reader, 3)
    assert world.asked() == [1, 1, 1, 2]


def test_answers_that_users_have_fetched_cost_no_request(world: World) -> None:
    world.knows(5)
    for number in range(1, 6):
        service.tags("category", number, TagQuery())
    world.read(Reader(request_tags), 10)

    assert len(world.sent) == 5
    assert tag_index.coverage().read == 5


def test_users_get_what_the_reader_has_fetched(world: World) -> None:
    world.knows(1)
    world.read(Reader(request_tags), 1)
    service.tags("category", 1, TagQuery())

    assert len(world.sent) == 1
