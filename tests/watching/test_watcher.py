"""The looks at watched sources: one a source, nothing lost or told twice, and users first."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable, UpstreamError
from econweb.watching import queue
from econweb.watching.judge import judge
from econweb.watching.models import Announcement, ChangedFact, Watch, WatchedSource
from econweb.watching.watcher import IDLE_SECONDS, OTHER_SECONDS, Watcher
from tests.watching.looks import World, titled

pytestmark = pytest.mark.django_db
HOURS, DAYS = {"hours": 3}, {"days": 15}


@pytest.fixture
def world() -> World:
    return World()


def told() -> list[tuple[str, str, str | None, str | None]]:
    facts = ChangedFact.objects.order_by("announcement", "pk")
    return [(fact.announcement.source.key, fact.field, fact.before, fact.after) for fact in facts]


def test_confirmed_change_is_announced_once_to_all_who_follow(world: World) -> None:
    world.follow("A", "Old")
    world.follow("A", person="bob")
    world.follow("B", "Same")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    begun, world.titles["A"] = world.now, "New"
    world.run(watcher, **DAYS)

    found = Announcement.objects.get()
    assert (found.kind, told()) == ("renamed", [("A", "title", "Old", "New")])
    assert found.before < begun <= found.seen <= found.confirmed - timedelta(hours=1)
    assert found.confirmed < begun + timedelta(days=1, hours=2)
    assert {watch.person for watch in Watch.objects.filter(news=found)} == {"local editor", "bob"}
    # Two people cost what one does.
    assert world.asked.count("A") <= world.asked.count("B") + 3


def test_source_that_rests_is_asked_less_often(world: World) -> None:
    world.follow("A", "Same")
    world.run(world.watcher(), days=28)

    assert 6 <= len(world.asked) <= 9
    assert WatchedSource.objects.get().interval == 7


@pytest.mark.parametrize(
    "error",
    [BadReply("x"), Unavailable("x"), NotFound("x"), Refused("x"), Refused("x", is_about_key=True), Busy("x", 900)],
)
def test_failure_is_no_change(world: World, error: UpstreamError) -> None:
    world.follow("A", "Same")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    state = bytes(WatchedSource.objects.get().state or b"")
    world.error = error
    world.run(watcher, hours=30)
    assert bytes(WatchedSource.objects.get().state or b"") == state
    world.error = None
    world.run(watcher, days=3)

    assert not Announcement.objects.exists()
    assert (WatchedSource.objects.get().failures, WatchedSource.objects.get().failure) == (0, "")


def test_source_that_fails_does_not_hold_up_the_others(world: World) -> None:
    world.follow("A", "Same")
    for number in range(20):
        world.follow(f"B{number}", "Same")
    world.errors["A"] = BadReply("x")
    watcher = world.watcher()
    world.run(watcher, hours=4)

    assert WatchedSource.objects.filter(state_at=None).count() == 1
    assert 3 <= world.asked.count("A") <= 6
    assert WatchedSource.objects.get(key="A").failure == "BadReply"


def test_error_of_the_program_does_not_hold_up_the_others(world: World) -> None:
    world.follow("A", "Same")
    world.follow("B", "Same")
    world.errors["A"] = RuntimeError("x")
    watcher = world.watcher()
    with pytest.raises(RuntimeError):
        watcher.step()
    watcher.step()

    assert world.asked == ["A", "B"]
    assert WatchedSource.objects.get(key="A").failure == "RuntimeError"


def test_gone_and_back_are_confirmed(world: World) -> None:
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    for title in ("", "Old"):
        world.titles = {"A": title} if title else {}
        world.run(watcher, **DAYS)

    assert list(Announcement.objects.order_by("pk").values_list("kind", flat=True)) == ["gone", "back"]


def test_nothing_is_asked_while_users_wait_or_another_process_works(world: World) -> None:
    world.follow("A", "Same")

    def busy() -> None:
        raise Busy("Users come first.", 1.5)

    assert Watcher(lambda: True, world.ask, busy, lambda: world.now).step() == 1.5
    assert world.watcher(lambda: False).step() == OTHER_SECONDS
    assert world.asked == []
    assert not WatchedSource.objects.exclude(holder="").exists()


def test_source_of_a_killed_process_is_taken_over_and_its_late_result_is_lost(world: World) -> None:
    world.follow("A", "Same")
    killed = queue.claim(world.now)
    assert killed
    assert queue.claim(world.now) is None
    assert world.watcher().step() == IDLE_SECONDS
    world.now += queue.LEASE + timedelta(seconds=1)
    other = queue.claim(world.now)
    assert other
    verdict = judge(queue.memory_of(killed), titled("Same"), world.now, is_plain=True)

    assert not queue.finish(killed, verdict, world.now)
    queue.release(killed)
    assert queue.claim(world.now) is None
    assert queue.finish(other, verdict, world.now)
    assert not queue.finish(other, verdict, world.now)


def test_announcement_is_stored_as_a_whole_or_not_at_all(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """O32"""
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    world.titles["A"] = "New"
    world.run(watcher, hours=22.5)
    world.now += timedelta(hours=2)
    with monkeypatch.context() as broken:
        broken.setattr(queue, "lets_through", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            watcher.step()
    row = WatchedSource.objects.get()
    assert (Announcement.objects.count(), ChangedFact.objects.count(), row.failure) == (0, 0, "ZeroDivisionError")
    assert row.candidate
    world.run(watcher, **DAYS)

    assert told() == [("A", "title", "Old", "New")]
    assert Watch.objects.get().news.count() == 1


def test_result_after_the_end_of_the_lease_is_lost(world: World) -> None:
    world.follow("A", "Same")
    row = queue.claim(world.now)
    assert row
    verdict = judge(queue.memory_of(row), titled("Same"), world.now, is_plain=True)

    assert not queue.finish(row, verdict, world.now + queue.LEASE)
    assert WatchedSource.objects.get().candidate is None


def test_source_that_nobody_follows_any_more_makes_no_news(world: World) -> None:
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    world.titles["A"] = "New"
    world.run(watcher, hours=22.5)
    assert WatchedSource.objects.get().candidate
    world.now += timedelta(hours=2)
    world.meanwhile = lambda: WatchedSource.objects.update(due=None)
    watcher.step()

    assert world.asked[-1] == "A"
    assert not Announcement.objects.exists()
    assert (WatchedSource.objects.get().due, WatchedSource.objects.get().holder) == (None, "")


def test_filters_of_a_watch_keep_news_away_but_not_from_the_page_of_all(world: World) -> None:
    row = world.follow("A", "Old")
    Watch.objects.filter(sources=row).update(kind="tags", target="/category/125/tags/?tag_names=usa")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    world.titles.clear()
    world.run(watcher, **DAYS)

    # The whole source is gone: every filter lets that through.
    assert Watch.objects.get().news.count() == Announcement.objects.count() == 1


def test_site_that_may_not_store_keeps_fingerprints_only(world: World, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    world.follow("A", "Gross domestic product")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    assert len(bytes(WatchedSource.objects.get().state or b"")) == 10 * 16 + 1
    world.titles["A"] = "Real gross domestic product"
    world.run(watcher, **DAYS)

    assert (Announcement.objects.get().kind, Announcement.objects.get().facts) == ("renamed", 1)
    assert (told(), Watch.objects.get().news.count()) == ([], 1)


def test_texts_are_forgotten_where_a_site_may_store_no_longer(world: World, settings: Settings) -> None:
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    world.titles["A"] = "New"
    world.run(watcher, **DAYS)
    settings.ECON_MAY_STORE = False
    queue.forget_texts()
    assert (told(), bytes(WatchedSource.objects.get().state or b"")[:1]) == ([], b"\x02")
    world.run(watcher, **DAYS)

    assert Announcement.objects.count() == 1


def test_change_of_a_state_with_texts_stores_none_where_that_is_forbidden(world: World, settings: Settings) -> None:
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    settings.ECON_MAY_STORE, world.titles["A"] = False, "New"
    world.run(watcher, **DAYS)

    assert (Announcement.objects.get().kind, told(), Watch.objects.get().news.count()) == ("renamed", [], 1)


def test_another_service_begins_again(world: World, settings: Settings) -> None:
    world.follow("A", "Old")
    watcher = world.watcher()
    world.run(watcher, **HOURS)
    settings.ECON_BASE_URL, world.titles["A"] = "https://other.example.org", "New"
    world.run(watcher, **DAYS)

    assert not Announcement.objects.exists()
    assert WatchedSource.objects.get().service == "https://other.example.org"
