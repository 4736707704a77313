"""A caller with a stale answer does not wait for the refresh; a reload does."""

import socket
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
import structlog
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.upstream import service
from econweb.upstream.cache import keys, single_flight
from econweb.upstream.cache.answers import STALE_WAIT_SECONDS
from econweb.upstream.cache.single_flight import MAX_BACKGROUND, SingleFlight
from econweb.upstream.errors import NotFound, Unavailable
from econweb.upstream.queries import TagQuery
from tests.upstream.cached_answers import FRESH, STALE, Service, Slow, answer_cache, settled
from tests.upstream.client_calls import environment_of
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Behaviour, Peer, http, sends
from tests.upstream.sample_replies import GOOD_TAGS, as_json
from tests.upstream.test_simultaneous_callers import all_at_once

ROOT = Path(__file__).resolve().parents[3]
MOMENT = STALE_WAIT_SECONDS
ANSWER = http(as_json(GOOD_TAGS))


@pytest.fixture
def frozen_clock(frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr("econweb.upstream.cache.answers.STALE_WAIT_SECONDS", MOMENT)
    return frozen_clock


def when(may_answer: Event, answer: bytes = ANSWER) -> Behaviour:
    def behaviour(connection: socket.socket) -> None:
        may_answer.wait(30)
        sends(answer)(connection)

    return behaviour


def test_background_refresh_of_slow_service_shows_stale_set_then_fresh_one(
    pointed_at: Peer, settings: Settings, frozen_clock: Clock
) -> None:
    settings.ECON_TIMEOUT = 20.0
    may_answer = Event()
    pointed_at.will(ANSWER, when(may_answer))
    service.tags("category", 125, TagQuery())
    frozen_clock.moment += settings.ECON_FRESH_SECONDS + 1

    # All are back before the service says anything.
    pages = all_at_once(50, lambda _: service.tags("category", 125, TagQuery()))
    may_answer.set()
    key = keys.make_key("category/tags", {"category_id": "125"})
    settled(service.upstream().tag_sets, key)
    after = service.tags("category", 125, TagQuery())

    assert {(page.count, page.freshness.is_stale, page.freshness.error) for page, _ in pages} == {
        (2, True, "A newer one is on its way.")
    }
    assert max(seconds for _, seconds in pages) < settings.ECON_TIMEOUT / 4
    assert (after.freshness.is_stale, after.freshness.error, len(pointed_at.requests)) == (False, "", 2)


def test_background_refresh_of_quick_service_is_waited_for(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    monkeypatch.setattr("econweb.upstream.cache.answers.STALE_WAIT_SECONDS", 10.0)

    assert kept.get("x", service.fetch)[0] == "answer 2"


def test_reload_waits_for_running_refresh(frozen_clock: Clock) -> None:
    kept, slow, answers = answer_cache(timeout=10.0), Slow(), []
    slow.may_answer.set()
    kept.get("x", slow.fetch)
    slow.may_answer.clear()
    frozen_clock.moment += FRESH + 1
    stale, _ = kept.get("x", slow.fetch)
    asking = Thread(target=lambda: answers.append(kept.get("x", slow.fetch, renew=True)))
    asking.start()
    asking.join(0.2)
    waiting = asking.is_alive()
    slow.may_answer.set()
    asking.join()

    assert (stale, waiting, slow.calls) == ("answer 1", True, 2)
    assert [(thing, age.is_stale) for thing, age in answers] == [("answer 2", False)]


def test_background_refresh_is_waited_for_once_a_minute_at_most(frozen_clock: Clock) -> None:
    kept, slow = answer_cache(timeout=0.2), Slow()
    slow.may_answer.set()
    kept.get("x", slow.fetch)
    slow.may_answer.clear()
    frozen_clock.moment += FRESH + 1
    kept.get("x", slow.fetch)
    waited = [kept.get("x", slow.fetch, renew=True)[1].error for _ in range(2)]
    slow.may_answer.set()
    settled(kept)

    assert waited == ["The data provider did not answer in time.", "A newer one is on its way."]


def test_failed_background_refresh_keeps_the_answer_and_is_not_retried_at_once(frozen_clock: Clock) -> None:
    kept, slow = answer_cache(), Slow()
    slow.may_answer.set()
    kept.get("x", slow.fetch)
    slow.may_answer.clear()
    frozen_clock.moment += STALE
    slow.failure = Unavailable("down")
    before = kept.get("x", slow.fetch)[1].error
    slow.may_answer.set()
    settled(kept)
    after = [kept.get("x", slow.fetch) for _ in range(3)]

    assert before == "A newer one is on its way."
    assert [(thing, age.is_stale, age.error) for thing, age in after] == [("answer 1", True, "down")] * 3
    assert slow.calls == 2


def test_background_refresh_with_explicit_404_drops_the_answer(frozen_clock: Clock) -> None:
    kept, slow = answer_cache(), Slow()
    slow.may_answer.set()
    kept.get("x", slow.fetch)
    slow.may_answer.clear()
    frozen_clock.moment += FRESH + 1
    slow.failure = NotFound("gone", is_explicit=True)
    before, _ = kept.get("x", slow.fetch)
    slow.may_answer.set()
    settled(kept)

    assert before == "answer 1"
    with pytest.raises(NotFound, match="gone"):
        kept.get("x", slow.fetch)


def test_background_refreshes_are_bounded_and_others_run_later(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, slow, names = answer_cache(), Slow(), "abcdef"
    slow.may_answer.set()
    for name in names:
        kept.get(name, slow.fetch)
    slow.may_answer.clear()
    frozen_clock.moment += FRESH + 1
    errors = [kept.get(name, slow.fetch)[1].error for name in names]
    slow.may_answer.set()
    for name in names:
        settled(kept, name)
    monkeypatch.setattr("econweb.upstream.cache.answers.STALE_WAIT_SECONDS", 10.0)

    assert errors == ["A newer one is on its way."] * MAX_BACKGROUND + [""] * (6 - MAX_BACKGROUND)
    assert not any(kept.get(name, slow.fetch)[1].is_stale for name in names)
    assert slow.calls == 12


def test_background_refresh_without_a_new_thread_frees_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unborn(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    some = SingleFlight[str]()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(single_flight, "Thread", Unborn)
        assert [some.run_in_background("x", 10, lambda: "never") for _ in range(MAX_BACKGROUND + 1)] == [None] * 4

    assert not some.is_running("x")
    assert some.run_in_background("x", 10, lambda: "brought") == "brought"


def test_background_refresh_logs_a_bug_and_frees_its_slot() -> None:
    some, found = SingleFlight[str](), []

    def breaks() -> str:
        raise ValueError("a fault of this program")

    with capture_logs() as logs:
        for _ in range(MAX_BACKGROUND + 1):
            with pytest.raises(Unavailable) as caught:
                some.run_in_background("x", 10, breaks)
            found.append(str(caught.value))

    assert found == ["The data provider cannot be asked."] * (MAX_BACKGROUND + 1)
    assert {entry["event"] for entry in logs} <= {"unexpected exception in a background refresh"}


def test_background_refresh_has_id_of_its_request() -> None:
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        assert SingleFlight[str]().run_in_background("x", 10, lambda: str(structlog.contextvars.get_contextvars())) == (
            "{'request_id': 'r1'}"
        )


# The second view is stale and its renewal hangs; then the program is at its end.
TWO_VIEWS = """
import django; django.setup()
from econweb.upstream import service
from econweb.upstream.queries import TagQuery
print([service.tags("category", 125, TagQuery()).freshness.is_stale for _ in range(2)])
"""


def test_background_refresh_does_not_delay_exit(peer: Peer, tmp_path: Path) -> None:
    never = Event()
    peer.will(ANSWER, when(never))
    ours = environment_of(peer, tmp_path, ECON_FRESH_SECONDS="0", ECON_TIMEOUT="120")
    ended = subprocess.run(
        [sys.executable, "-c", TWO_VIEWS],
        cwd=ROOT,
        env=ours,
        capture_output=True,
        text=True,
        check=False,
        timeout=25,
    )
    never.set()

    assert (ended.returncode, ended.stdout) == (0, "[True, True]\n"), ended.stderr
    assert len(peer.requests) == 2
