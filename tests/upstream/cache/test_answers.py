"""The life of an answer: fresh, stale during a refresh, stale during a failure, expired."""

from datetime import UTC
from threading import Event, Thread

import pytest

from econweb.upstream.clock import Deadline
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, Unavailable, UpstreamError
from tests.upstream.cached_answers import FRESH, STALE, Service, answer_cache
from tests.upstream.conftest import Clock


def test_fresh_answer_needs_no_request(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.is_stale, age.error, service.calls) == ("answer 1", False, "", 1)
    assert (age.fetched.timestamp(), age.fetched.tzinfo) == (frozen_clock.moment - FRESH, UTC)


def test_each_cache_key_has_its_own_answer() -> None:
    kept, service = answer_cache(), Service()

    assert kept.get("x", service.fetch)[0] != kept.get("y", service.fetch)[0]


def test_stale_answer_is_refreshed(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.is_stale, service.calls) == ("answer 2", False, 2)
    assert age.fetched.timestamp() == frozen_clock.moment


@pytest.mark.parametrize("failure", [Unavailable("down"), Busy("full", 9.0), BadReply("odd"), Refused("no key")])
def test_stale_answer_is_used_when_the_service_fails(frozen_clock: Clock, failure: UpstreamError) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += STALE
    service.failure = failure

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.is_stale, age.error) == ("answer 1", True, str(failure))


def test_explicit_404_drops_cached_answer(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    service.failure = NotFound("gone", is_explicit=True)
    for _ in range(2):
        with pytest.raises(NotFound):
            kept.get("x", service.fetch)

    assert service.calls == 2


def test_unclear_404_keeps_cached_answer(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    service.failure = NotFound("no words")

    assert [kept.get("x", service.fetch)[1].error for _ in range(2)] == ["no words", "no words"]


def test_expired_answer_is_not_used(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += STALE + 1
    service.failure = Unavailable("down")

    with pytest.raises(Unavailable):
        kept.get("x", service.fetch)


@pytest.mark.parametrize("stale_seconds", [0.0, FRESH / 2])
def test_fresh_answer_is_cached_when_stale_ones_are_off(frozen_clock: Clock, stale_seconds: float) -> None:
    kept, service = answer_cache(stale_seconds=stale_seconds), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH
    fresh = kept.get("x", service.fetch)
    calls = service.calls
    service.failure = Unavailable("down")
    frozen_clock.moment += 1

    assert (fresh[0], fresh[1].is_stale, calls) == ("answer 1", False, 1)
    with pytest.raises(Unavailable):
        kept.get("x", service.fetch)


@pytest.mark.parametrize("failure", [NotFound("no"), Refused("no"), Unavailable("no"), BadReply("no")])
def test_recent_failure_is_remembered_for_seconds_at_most(frozen_clock: Clock, failure: UpstreamError) -> None:
    kept, service = answer_cache(), Service(failure)
    for _ in range(3):
        with pytest.raises(type(failure), match="no"):
            kept.get("x", service.fetch)
    assert service.calls == 1

    frozen_clock.moment += 11
    service.failure = None

    assert kept.get("x", service.fetch)[0] == "answer 2"


@pytest.mark.parametrize("failure", [NotFound("no"), Refused("no"), Unavailable("no"), BadReply("no")])
def test_recent_failure_of_the_far_future_is_ignored(frozen_clock: Clock, failure: UpstreamError) -> None:
    """A39: it was kept before the clock was put back a day."""
    kept, service = answer_cache(), Service(failure)
    with pytest.raises(type(failure), match="no"):
        kept.get("x", service.fetch)
    frozen_clock.moment -= 86400
    service.failure = None

    assert kept.get("x", service.fetch)[0] == "answer 2"


def test_recent_busy_failure_counts_down_retry_after(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service(Busy("full", 30.0))
    with pytest.raises(Busy):
        kept.get("x", service.fetch)
    frozen_clock.moment += 0.5

    with pytest.raises(Busy) as caught:
        kept.get("x", service.fetch)

    assert caught.value.retry_after == 29.5


def test_failed_refresh_is_not_retried_at_once(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    service.failure = Unavailable("down")
    for _ in range(5):
        assert kept.get("x", service.fetch)[1].error == "down"

    assert service.calls == 2


def test_reload_refreshes_fresh_answer_once_a_minute_at_most(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    answers = []
    for _ in range(5):
        answers.append(kept.get("x", service.fetch, renew=True)[0])
        frozen_clock.moment += 30

    assert answers == ["answer 1", "answer 1", "answer 2", "answer 2", "answer 3"]


def test_reload_of_one_answer_does_not_delay_another(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    for name in "xy":
        kept.get(name, service.fetch)
    frozen_clock.moment += 61

    assert [kept.get(name, service.fetch, renew=True)[0] for name in "xy"] == ["answer 3", "answer 4"]


def test_failed_reload_is_not_repeated_within_a_minute(frozen_clock: Clock) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += 61
    service.failure = Unavailable("down")

    thing, age = kept.get("x", service.fetch, renew=True)
    frozen_clock.moment += 30
    kept.get("x", service.fetch, renew=True)

    assert (thing, age.is_stale, age.error) == ("answer 1", False, "down")
    assert service.calls == 2


@pytest.mark.parametrize("jump", [-86400.0, -301.0])
def test_clock_set_back_does_not_make_answers_fresh(frozen_clock: Clock, jump: float) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment += jump

    assert kept.get("x", service.fetch)[0] == "answer 2"


@pytest.mark.parametrize("minutes", [6, 30, 65])
def test_clock_set_back_leaves_stale_answers_usable(frozen_clock: Clock, minutes: int) -> None:
    """A8"""
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment -= 60 * minutes
    service.failure = Unavailable("down")

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.is_stale, age.error) == ("answer 1", True, "down")
    assert answer_cache(stale_seconds=0.0).get_cached("x") is None


@pytest.mark.parametrize("stale_seconds", [0.0, STALE])
def test_answer_from_the_far_future_is_not_used(frozen_clock: Clock, stale_seconds: float) -> None:
    kept, service = answer_cache(stale_seconds=stale_seconds), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment -= STALE + 1
    service.failure = Unavailable("down")

    with pytest.raises(Unavailable):
        kept.get("x", service.fetch)


def test_refresh_by_one_caller_gives_others_the_stale_answer(frozen_clock: Clock) -> None:
    kept, service, begun, may_end = answer_cache(), Service(), Event(), Event()
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1

    def slowly(deadline: Deadline) -> bytes:
        begun.set()
        may_end.wait(5)
        return service.fetch(deadline)

    renewing = Thread(target=kept.get, args=("x", slowly))
    renewing.start()
    begun.wait(5)
    others = [kept.get("x", service.fetch) for _ in range(5)]
    may_end.set()
    renewing.join()

    assert {(thing, age.is_stale) for thing, age in others} == {("answer 1", True)}
    assert service.calls == 2


@pytest.mark.parametrize(("ahead", "answer"), [(299, "answer 1"), (301, "answer 2")])
def test_clock_slightly_ahead_keeps_answers_fresh(frozen_clock: Clock, ahead: int, answer: str) -> None:
    kept, service = answer_cache(), Service()
    kept.get("x", service.fetch)
    frozen_clock.moment -= ahead

    assert kept.get("x", service.fetch)[0] == answer
