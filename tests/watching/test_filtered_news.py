"""The news of a watch with filters, where texts may be stored and where only fingerprints are."""

from datetime import timedelta
from functools import partial

import pytest
from pytest_django import Settings

from econweb.watching.ask import Reply
from econweb.watching.facts import Facts, tag_facts
from econweb.watching.models import Announcement, ChangedFact, Watch, WatchedSource
from econweb.watching.watcher import Watcher
from tests.library.builders import a_tag
from tests.watching.looks import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return World()


KNOWN = tag_facts([a_tag("usa", notes="A nation"), a_tag("old", group_id="gen", notes="Of states")])
NEW = a_tag("new", group_id="gen", notes="Words of states")


@pytest.mark.parametrize("may_store", [True, False])
@pytest.mark.parametrize(
    ("query", "is_heard"),
    [
        ("?search_text=states", True),
        ("?search_text=nation", False),
        ("?tag_names=usa", False),
        ("?tag_names=new", True),
        ("?tag_group_id=geo", False),
        ("?tag_group_id=gen", True),
        ("?tag_names=old&search_text=nation", False),
    ],
)
def test_watch_hears_of_changes_of_its_filters(
    world: World, settings: Settings, may_store: bool, query: str, is_heard: bool
) -> None:
    """Filters also hold where only fingerprints are stored."""
    settings.ECON_MAY_STORE = may_store
    told = [KNOWN, KNOWN, {**KNOWN, **tag_facts([NEW])}]
    watch = follow_tags(world, query)
    look_at(world, told)

    assert Announcement.objects.count() == 1
    assert watch.news.count() == is_heard


@pytest.mark.parametrize(("query", "is_heard"), [("?search_text=states", True), ("?search_text=nation", False)])
def test_watch_hears_of_a_gone_tag_by_its_notes(world: World, query: str, is_heard: bool) -> None:
    watch = follow_tags(world, query)
    look_at(world, [KNOWN, KNOWN, {key: value for key, value in KNOWN.items() if key[0] != "old"}])

    assert watch.news.count() == is_heard


def test_gone_tag_passes_each_filter_where_only_fingerprints_are_stored(world: World, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    watch = follow_tags(world, "?tag_names=usa")
    look_at(world, [KNOWN, KNOWN, {key: value for key, value in KNOWN.items() if key[0] != "old"}])

    assert watch.news.count() == 1
    assert not ChangedFact.objects.exists()


def follow_tags(world: World, query: str) -> Watch:
    row = WatchedSource.objects.create(kind="category", key="125", interval=1.0, due=world.now)
    target = f"/category/125/tags/{query}"
    watch = Watch.objects.create(person="local editor", kind="tags", target=target, created=world.now)
    watch.sources.add(row)
    return watch


def reply(world: World, facts: Facts, _kind: str, _key: str) -> Reply:
    return Reply(facts, world.now)


def look_at(world: World, replies: list[Facts]) -> None:
    """Look a day apart at each of the replies, and once more at the last one."""
    for facts in [*replies, replies[-1]]:
        WatchedSource.objects.update(due=world.now)
        Watcher(ask=partial(reply, world, facts), check_idle=lambda: None, now=lambda: world.now).step()
        world.now += timedelta(days=1)
