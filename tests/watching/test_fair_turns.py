"""People take turns in the queue of looks, and no source holds up the others."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from econweb.watching import queue
from econweb.watching.ask import AskedElsewhere
from econweb.watching.models import Watch, WatchedSource
from econweb.watching.watcher import IDLE_SECONDS, OTHER_WAIT, PAUSE_SECONDS
from tests.watching.looks import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(settings: Settings) -> World:
    # The proxy knows its people.
    settings.SIGN_IN = "proxy"
    return World()


def test_long_lists_of_one_person_do_not_delay_the_others(world: World) -> None:
    for number in range(6):
        world.follow(f"LONG{number}", "Same", person="ada")
    world.now += timedelta(hours=1)
    for person in ("bob", "eve"):
        for number in range(2):
            world.follow(f"{person} {number}", "Same", person=person)
    world.follow("LONG0", person="eve", target="/series/LONG0/?shared")
    watcher = world.watcher()
    for _ in range(10):
        watcher.step()

    assert world.asked == ["LONG0", "bob 0", "eve 0", "LONG1", "bob 1", "eve 1", "LONG2", "LONG3", "LONG4", "LONG5"]


def test_source_that_nobody_follows_any_more_is_given_back_to_the_queue(world: World) -> None:
    """It stays due until the next hour, and blocks nothing."""
    world.follow("A", "Same")
    watcher = world.watcher()
    watcher.step()
    WatchedSource.objects.update(due=world.now)
    Watch.objects.all().delete()

    assert queue.next_person(world.now, "") == ""
    watcher.step()
    assert world.asked == ["A", "A"]


def test_source_that_another_process_asks_for_does_not_hold_up_the_others(world: World) -> None:
    world.follow("A", "Same")
    world.follow("B", "Same")
    world.errors["A"] = AskedElsewhere()
    watcher = world.watcher()
    pauses = [watcher.step() for _ in range(3)]

    assert (world.asked, pauses) == (["A", "B"], [PAUSE_SECONDS, PAUSE_SECONDS, IDLE_SECONDS])
    row = WatchedSource.objects.get(key="A")
    assert (row.due, row.failures, row.holder) == (world.now + OTHER_WAIT, 0, "")
