"""Old news and forgotten sources are removed; what somebody may still read or follow stays."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from econweb.accounts.people import LOCAL_EDITOR
from econweb.watching import retention, watches
from econweb.watching.models import Announcement, ChangedFact, EndedWatch, Watch, WatchedSource
from econweb.watching.retention import ENDED_AGE, NEWS_AGE, SOURCE_AGE, remove_old
from tests.races import at_once
from tests.watching.looks import World
from tests.watching.news_builders import an_announcement, follow

NOW = timezone.now()
MOMENT = timedelta(seconds=1)


def a_source(key: str, **fields: Any) -> None:
    WatchedSource.objects.create(kind="series", key=key, **{"interval": 1.0} | fields)


def keys() -> list[str]:
    return sorted(WatchedSource.objects.values_list("key", flat=True))


@pytest.mark.django_db
def test_news_older_than_a_year_is_removed_with_its_facts() -> None:
    # Confirmed two hours after it was seen.
    end = NOW - NEWS_AGE - timedelta(hours=2)
    follow("ada", an_announcement("series:OLD", seen=end - MOMENT, title=("a", "b")))
    follow("ada", an_announcement("series:YOUNG", seen=end + MOMENT, title=("a", "b")))

    assert remove_old(NOW) == 2
    assert [one.source.key for one in Announcement.objects.all()] == ["YOUNG"]
    assert (ChangedFact.objects.count(), Watch.objects.get().news.count()) == (1, 1)
    # Nobody followed it, and its last news is gone.
    assert keys() == ["YOUNG"]


@pytest.mark.django_db
def test_source_stays_while_it_is_followed_has_news_or_is_remembered() -> None:
    old = NOW - SOURCE_AGE - MOMENT
    a_source("FORGOTTEN", state_at=old)
    a_source("NEVER LOOKED AT")
    a_source("REMEMBERED", state_at=NOW - SOURCE_AGE + MOMENT)
    a_source("STILL DUE", state_at=old, due=NOW)
    a_source("NEWS", state_at=old)
    an_announcement("series:NEWS", seen=NOW - timedelta(days=9))
    World().follow("FOLLOWED", person="somebody who left")
    WatchedSource.objects.filter(key="FOLLOWED").update(due=None, state_at=old)

    assert remove_old(NOW) == 2
    assert keys() == ["FOLLOWED", "NEWS", "REMEMBERED", "STILL DUE"]


@pytest.mark.django_db
def test_watch_that_has_ended_is_forgotten_after_a_day() -> None:
    for key, age in (("OLD", ENDED_AGE + MOMENT), ("NEW", ENDED_AGE - MOMENT)):
        watches.unfollow(LOCAL_EDITOR, watches.follow(LOCAL_EDITOR, "series", f"/series/{key}/", []).pk)
        EndedWatch.objects.filter(target=f"/series/{key}/").update(ended=NOW - age)

    assert remove_old(NOW) == 1
    assert [one.target for one in EndedWatch.objects.all()] == ["/series/NEW/"]


@pytest.mark.django_db
def test_all_is_removed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for number in range(5):
        an_announcement(f"series:A{number}", seen=NOW - 2 * NEWS_AGE)

    assert remove_old(NOW) == 10
    assert (keys(), Announcement.objects.count()) == ([], 0)


@pytest.mark.django_db
def test_watcher_removes_what_is_old_once_an_hour() -> None:
    world = World()
    watcher = world.watcher()
    counts = []
    for minutes in (0, 50, 20):
        a_source(f"A{minutes}")
        world.now += timedelta(minutes=minutes)
        watcher.step()
        counts.append(WatchedSource.objects.count())

    assert counts == [0, 1, 0]


@pytest.mark.django_db(transaction=True)
def test_source_that_is_followed_while_it_is_removed_is_in_the_queue() -> None:
    """O30; PostgreSQL runs this too."""
    sources = [("series", f"A{number}") for number in range(20)]
    for number in range(10):
        for _, key in sources:
            WatchedSource.objects.get_or_create(kind="series", key=key, defaults={"interval": 1.0})
        link = f"/series/?ids={number}"
        results = at_once(
            lambda: remove_old(timezone.now()),
            partial(watches.follow, LOCAL_EDITOR, "list", link, sources),
            lambda: remove_old(timezone.now()),
        )
        assert not [one for one in results if isinstance(one, Exception)]
        watch = Watch.objects.get()
        assert watch.sources.exclude(due=None).count() == len(sources)
        watches.unfollow(LOCAL_EDITOR, watch.pk)
