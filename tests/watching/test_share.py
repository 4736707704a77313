"""The looks within the rate limit, in front of a service with 120 requests a minute, on a clock of the test."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from econweb.search_index.reading.lease import BackgroundLease
from econweb.search_index.reading.reader import Reader
from econweb.serving import background
from econweb.serving.background import request_tags
from econweb.upstream import service
from econweb.watching.models import Watch, WatchedSource
from econweb.watching.watcher import Watcher, may_watch
from tests.search_index.reading.conftest import World, world

pytestmark = pytest.mark.django_db
__all__ = ["world"]
# A step with its queries takes less; a thread may wake up late.
STEP_SECONDS = 0.03


def moment(world: World) -> datetime:
    return datetime.fromtimestamp(world.moment, UTC)


def watcher(world: World, hold: Callable[[], bool] = lambda: True) -> Watcher:
    return Watcher(hold, now=lambda: moment(world))


def follow(world: World, count: int) -> None:

    watch = Watch.objects.create(person="local editor", kind="list", target="/series/?ids=A", created=moment(world))
    given = {"kind": "category", "service": "https://data.example.org", "due": moment(world), "interval": 1.0}
    rows = WatchedSource.objects.bulk_create(WatchedSource(key=str(number + 1), **given) for number in range(count))
    watch.sources.set(rows)


def run(world: World, seconds: float, *steps: object) -> None:
    """Let threads with these steps work for this time."""
    end = world.moment + seconds
    turns = [world.moment] * len(steps)
    while (moment := min(turns)) < end:
        index = turns.index(moment)
        world.moment = max(world.moment, moment)
        turns[index] = world.moment + steps[index]() + STEP_SECONDS  # type: ignore[operator]


@pytest.mark.slow
def test_default_share_is_enough_for_17000_looks_a_day(world: World) -> None:
    world.knows(300)
    follow(world, 300)
    run(world, 1200, watcher(world).step)

    # 236.1 in twenty minutes are 17,000 a day.
    assert 236.1 <= len(world.sent) <= 241
    assert world.most_in_a_minute() <= 12


@pytest.mark.slow
def test_index_and_watcher_share_one_part_of_the_rate_limit(world: World) -> None:
    world.knows(200)
    follow(world, 200)
    lease = BackgroundLease()
    run(world, 1200, watcher(world, lease.hold).step, Reader(request_tags, lease).step)

    looks = WatchedSource.objects.exclude(candidate=None).count()
    assert world.most_in_a_minute() <= 12
    # Neither of the two waits for the end of the other one.
    assert 60 <= looks <= 200
    # What one of them asks is not asked again for the other one.
    assert len(world.sent) == len(set(world.asked())) == 200


def test_reader_that_has_finished_leaves_the_lease_to_the_watcher(world: World, settings: Settings) -> None:
    settings.WATCH = "serve"
    world.knows(1)
    follow(world, 2)
    steps = dict(background.list_steps())
    steps["watcher"]()
    run(world, 10, steps["reader"])
    other = BackgroundLease()

    assert world.asked().count(1) == 1
    assert not other.hold()
    # A watcher that has nothing to do lets it end.
    world.moment += 30
    assert other.hold()


def test_reader_that_works_alone_gives_the_lease_back_at_once(world: World, settings: Settings) -> None:
    settings.WATCH = "serve"
    world.knows(1)
    steps = dict(background.list_steps())
    steps["watcher"]()
    run(world, 10, steps["reader"])

    assert world.asked() == [1]
    assert BackgroundLease().hold()


def test_nothing_is_asked_while_a_user_waits(world: World) -> None:
    world.knows(3)
    follow(world, 3)
    with service.upstream().client.visitor_slots.hold_slot():
        run(world, 60, watcher(world).step)
    assert world.sent == []
    run(world, 60, watcher(world).step)
    assert len(world.sent) == 3


def test_threads_follow_the_settings(settings: Settings) -> None:
    settings.ECON_BASE_URL, settings.ECON_MAY_STORE = "https://data.example.org", False
    names = {}
    for watch in ("serve", "external", "off"):
        settings.WATCH = watch
        names[watch] = {name for name, _ in background.list_steps()} & {"watcher", "fingerprints", "reader"}

    assert names == {"serve": {"watcher", "fingerprints"}, "external": {"fingerprints"}, "off": {"fingerprints"}}


@pytest.mark.parametrize(
    ("watch", "base", "share", "expected"),
    [
        ("serve", "", 0.0, True),
        ("external", "https://data.example.org", 0.1, True),
        ("serve", "https://data.example.org", 0.0, False),
        ("off", "", 0.1, False),
    ],
)
def test_watcher_obeys_its_settings(settings: Settings, watch: str, base: str, share: float, expected: bool) -> None:
    settings.WATCH, settings.ECON_BASE_URL, settings.ECON_BACKGROUND_SHARE = watch, base, share

    assert may_watch() is expected
