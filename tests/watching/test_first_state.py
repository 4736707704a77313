"""From when on changes count: at once with the embedded service, after two looks that agree with any other one."""

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service
from econweb.upstream.errors import Unavailable
from econweb.watching.ask import Reply, ask_service
from econweb.watching.models import Announcement, ChangedFact, WatchedSource
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.reading import words
from tests.watching.looks import World

TARGET = {"target": "/series/GNPCA/"}


class Looks(World):
    """The service of the settings, at the time of the test."""

    def ask(self, kind: str, key: str) -> Reply:
        if self.error:
            raise self.error
        # What the cache holds is as old as the time between two looks.
        service.upstream.cache_clear()
        cache.clear()
        return ask_service(kind, key)._replace(at=self.now)


def told() -> list[tuple[str, str | None, str | None]]:
    return list(ChangedFact.objects.order_by("field").values_list("field", "before", "after"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("may_store", [True, False])
def test_load_soon_after_following_is_news(
    client: Client, catalogue: Loader, settings: Settings, may_store: bool
) -> None:
    """The page that somebody follows shows the state before the load."""
    settings.ECON_MAY_STORE = may_store
    catalogue(series=[a_series(title="Old", units="Dollars of 2017")])
    client.post("/me/follow/", TARGET)
    world = Looks()
    watcher = world.watcher()
    world.run(watcher, minutes=4)
    catalogue(series=[a_series(title="New", units="Dollars of 2022")])
    world.run(watcher, hours=4)

    assert Announcement.objects.get().facts == 2
    assert told() == ([("title", "Old", "New"), ("units", "Dollars of 2017", "Dollars of 2022")] if may_store else [])
    assert len(words(client.get("/me/news/"), "//tbody/tr")) == 1
    catalogue(series=[a_series(title="New", units="Dollars of 2022"), a_series(id="OTHER")])
    world.run(watcher, days=20)
    assert Announcement.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_series_that_is_missing_soon_after_following_is_news(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(), a_series(id="OTHER")])
    client.post("/me/follow/", TARGET)
    world = Looks()
    watcher = world.watcher()
    world.run(watcher, minutes=4)
    catalogue(series=[a_series(id="OTHER")])
    world.run(watcher, days=2)

    assert Announcement.objects.get().kind == "gone"


@pytest.mark.django_db(transaction=True)
def test_changes_count_from_the_first_look_that_succeeds(client: Client, catalogue: Loader) -> None:
    catalogue(series=[a_series(title="Old")])
    client.post("/me/follow/", TARGET)
    world = Looks(error=Unavailable("down"))
    watcher = world.watcher()
    world.run(watcher, minutes=30)
    assert WatchedSource.objects.get().state is None
    world.error = None
    catalogue(series=[a_series(title="New")])
    world.run(watcher, hours=4)
    assert not Announcement.objects.exists()
    catalogue(series=[a_series(title="Newest")])
    world.run(watcher, days=4)

    assert told() == [("title", "New", "Newest")]


@pytest.mark.django_db
def test_first_reply_of_another_service_may_be_wrong(settings: Settings) -> None:
    """O31: until two looks agree, what differs may be a wrong reply."""
    settings.ECON_BASE_URL = "https://data.example.org"
    world = World()
    world.follow("A", "Wrong")
    watcher = world.watcher()
    world.run(watcher, minutes=4)
    world.titles["A"] = "Right"
    world.run(watcher, days=20)
    assert not Announcement.objects.exists()
    world.titles["A"] = "New"
    world.run(watcher, days=20)

    assert told() == [("title", "Right", "New")]
