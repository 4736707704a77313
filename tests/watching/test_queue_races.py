"""Several watchers at once: each source has one look, and each change one announcement. PostgreSQL runs this too."""

from datetime import timedelta
from threading import Lock

import pytest
from django.utils import timezone

from econweb.watching import queue
from econweb.watching.ask import Reply
from econweb.watching.models import Announcement, WatchedSource
from econweb.watching.watcher import Watcher
from tests.races import at_once
from tests.watching.looks import World, titled

pytestmark = pytest.mark.django_db(transaction=True)
SOURCES, WATCHERS = 12, 4


class Service:
    """One service for all threads."""

    def __init__(self) -> None:
        self.lock, self.asked, self.title, self.now = Lock(), list[str](), "Old", timezone.now()

    def ask(self, _kind: str, key: str) -> Reply:
        with self.lock:
            self.asked.append(key)
        return Reply(titled(self.title), self.now)

    def look_at_all(self) -> None:
        """Let several watchers empty the queue."""
        watchers = [Watcher(ask=self.ask, check_idle=lambda: None, now=lambda: self.now) for _ in range(WATCHERS)]
        results = at_once(*(lambda watcher=watcher: _empty(watcher) for watcher in watchers))
        assert results == [None] * WATCHERS


def _empty(watcher: Watcher) -> None:
    while not watcher.is_idle:
        watcher.step()


@pytest.mark.slow
def test_watchers_at_once_look_at_each_source_once_and_tell_each_change_once() -> None:
    service, world = Service(), World()
    for number in range(SOURCES):
        world.follow(f"A{number:02}", "Old")
    service.now = world.now
    for title, wait in (("Old", 0), ("Old", 1), ("New", 48), ("New", 1)):
        service.title = title
        service.now += timedelta(hours=wait)
        service.asked.clear()
        service.look_at_all()
        assert sorted(service.asked) == [f"A{number:02}" for number in range(SOURCES)]

    assert sorted(Announcement.objects.values_list("source__key", flat=True)) == sorted(service.asked)
    assert not WatchedSource.objects.exclude(holder="").exists()


def test_one_of_several_claims_wins() -> None:
    world = World()
    world.follow("A", "Old")
    claims = at_once(*[lambda: queue.claim(world.now)] * 8)

    assert [one for one in claims if one is not None] == [WatchedSource.objects.get()]
