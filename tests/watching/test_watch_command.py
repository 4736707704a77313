"""The command for schedulers and administrators."""

import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from econweb.search_index.reading.lease import BackgroundLease, is_held
from econweb.upstream import clock
from econweb.upstream.errors import Busy, Unavailable
from econweb.watching.facts import pack
from econweb.watching.models import WatchedSource
from tests.fake_service import FakeService, a_tag
from tests.watching.looks import World, titled

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "sleep", lambda _: None)


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("watch", *arguments, stdout=out)
    return out.getvalue()


def test_once_looks_at_all_that_is_due_and_status_says_so(stand_in: FakeService, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    assert run("--status") == "Nobody follows anything.\n"
    World().follow("GONE")
    row = World().follow("125", target="/category/125/tags/")
    WatchedSource.objects.filter(pk=row.pk).update(kind="category")
    stand_in.has("category", 125, [a_tag()])
    said = run("--once")

    assert "Followed sources: 2. Due: 0.\nWithout a confirmed state: 2. Changes that wait for a second look: 0." in said
    assert len(stand_in.asked) == 2
    WatchedSource.objects.update(due=timezone.now() - timedelta(days=1), failures=3, failure="BadReply")
    said = run("--status")
    assert "Due: 2." in said
    assert "The longest wait is since" in said
    assert "category 125 failed 3 times (BadReply)" in said


def test_once_forgets_texts_that_may_not_be_stored(stand_in: FakeService, settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    row = World().follow("A")
    WatchedSource.objects.filter(pk=row.pk).update(
        due=timezone.now() + timedelta(days=1), state=pack(titled("Old"), is_plain=True), state_at=timezone.now()
    )
    run("--once")

    assert bytes(WatchedSource.objects.get().state or b"") == pack(titled("Old"), is_plain=False)
    assert stand_in.asked == []


def test_command_obeys_the_setting(settings: Settings) -> None:
    settings.WATCH = "off"
    with pytest.raises(CommandError):
        run("--once")
    assert run("--status").startswith("Nothing is looked at: WATCH is off.")
    settings.WATCH = "external"
    assert "`serve` does not." in run("--status")


def test_command_ends_while_the_service_fails(stand_in: FakeService, settings: Settings) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    for number in range(6):
        World().follow(f"A{number}", "Old")
    stand_in.error = Unavailable("down")
    with pytest.raises(CommandError):
        run("--once")


def test_once_waits_a_minute_for_the_process_that_has_the_share(
    stand_in: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    World().follow("A", "Old")
    other = BackgroundLease()
    assert other.hold()
    # The other one goes on.
    monkeypatch.setattr(clock, "sleep", lambda _: other.hold())
    said = run("--once")
    assert said.count("\n") == 2
    assert "waits for it, at most a minute.\n" in said
    assert "so this one looks at nothing" in said
    assert stand_in.asked == []
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if sum(pauses) > 50:
            other.release()

    monkeypatch.setattr(clock, "sleep", sleep)
    said = run("--once")

    assert said.startswith(
        "Another process asks in the background. This one waits for it, at most a minute.\nFollowed sources: 1. Due: "
    )
    assert len(stand_in.asked) == 1
    assert sum(pauses) < 61
    assert not is_held()


def test_lease_of_a_wrong_clock_is_held_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """`index --once` and its status would wait for a year."""
    monkeypatch.setattr(clock, "now", lambda: time.time() + 365 * 86400)
    assert BackgroundLease().hold()
    assert is_held()
    monkeypatch.undo()

    assert not is_held()
    assert BackgroundLease().hold()


def test_once_ends_while_the_service_is_busy(
    stand_in: FakeService, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ECON_BASE_URL = "https://data.example.org"
    World().follow("A", "Old")
    stand_in.error = Busy("The service is busy.", 10)
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        assert len(pauses) < 20, "it never ends"

    monkeypatch.setattr(clock, "sleep", sleep)
    with pytest.raises(CommandError, match="busy"):
        run("--once")
    assert 50 <= sum(pauses) <= 60
