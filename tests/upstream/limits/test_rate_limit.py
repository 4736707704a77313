"""The rate limit is never exceeded, and a caller that would wait too long gets an error."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from econweb.upstream import clock
from econweb.upstream.errors import Busy
from econweb.upstream.limits.rate_limit import MAX_PATIENCE, SLOW_SECONDS, BucketState, RateLimit
from econweb.upstream.limits.shared_state import SharedState
from tests.upstream.client_calls import a_client, a_shared_store, a_store, fails
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Peer


def moments(allowance: RateLimit, frozen_clock: Clock, gaps: list[float], patience: float = 1000.0) -> list[float]:
    """Return the times at which callers may send, when one calls after each gap."""
    asked = []
    for gap in gaps:
        frozen_clock.moment += gap
        allowance.acquire(patience)
        asked.append(frozen_clock.moment)
    return asked


def test_rate_limit_allows_ten_at_once_then_a_steady_rate(frozen_clock: Clock) -> None:
    asked = moments(RateLimit(a_store(), 120), frozen_clock, [0.0] * 14)

    waits = [round(later - earlier, 2) for earlier, later in pairwise(asked)]
    assert waits == [0.0] * 9 + [0.55] * 4


@given(
    st.sampled_from([1, 5, 11, 12, 24, 60, 120, 600]),
    st.lists(st.sampled_from([0.0, 0.0, 0.3, 2.0, 70.0]), min_size=1, max_size=300),
)
def test_rate_limit_holds_each_minute_and_a_second(per_minute: int, gaps: list[float]) -> None:
    """The second is for requests that take a longer or shorter way through the network."""
    frozen_clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "steady", frozen_clock.now)
        patch.setattr(clock, "sleep", frozen_clock.sleep)
        asked = moments(RateLimit(a_store(), per_minute), frozen_clock, gaps, patience=10**9)

    for first in asked:
        # A hair less than 61 seconds: floating point may put the next one a hair early.
        assert sum(first <= moment < first + 60.999 for moment in asked) <= per_minute


def test_rate_limit_refuses_long_wait_without_taking_a_token(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 12)
    allowance.acquire(0.0)
    before = frozen_clock.moment
    for _ in range(3):
        with pytest.raises(Busy, match=r"^This site has reached its request limit") as caught:
            allowance.acquire(4.0)
        assert caught.value.retry_after == pytest.approx(61 / 12)

    assert frozen_clock.moment == before
    allowance.acquire(5.1)
    assert frozen_clock.moment == pytest.approx(before + 61 / 12)


def test_rate_limit_refills(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    left = [allowance.available()]
    for _ in range(10):
        allowance.acquire(0.0)
    left.append(allowance.available())
    frozen_clock.moment += 1.1
    left.append(allowance.available())
    frozen_clock.moment += 60
    left.append(allowance.available())

    assert left == [10, 0, 2, 10]


def test_rate_limit_pauses_until_retry_after(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)

    assert allowance.on_too_many_requests(30.0, 1.0) == pytest.approx(30.0)
    assert allowance.available() == 0
    with pytest.raises(Busy) as caught:
        allowance.acquire(29.0)
    assert caught.value.retry_after == pytest.approx(30.0)


def test_rate_limit_is_lower_for_a_while_after_429(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    begun = frozen_clock.moment
    allowance.on_too_many_requests(1.0, 1.0)

    slow = moments(allowance, frozen_clock, [0.0] * 4)
    frozen_clock.moment = begun + 1.0 + SLOW_SECONDS + 1
    fast = moments(allowance, frozen_clock, [0.0] * 10)

    assert [round(moment - begun, 1) for moment in slow] == [1.0, 2.1, 3.2, 4.3]
    assert fast[0] == fast[-1]


def test_rate_limit_pause_doubles_without_retry_after_up_to_a_minute(frozen_clock: Clock) -> None:
    """U12"""
    allowance, pauses = RateLimit(a_store(), 120), []
    for _ in range(9):
        pauses.append(allowance.on_too_many_requests(0.0, 1.0))
        frozen_clock.moment += pauses[-1]

    for number, pause in enumerate(pauses, start=1):
        assert min(60, 2**number) / 2 <= pause <= min(60, 2**number)


def test_rate_limit_pause_without_retry_after_is_a_minute_at_most(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """U12"""
    monkeypatch.setattr("random.uniform", lambda _, high: high)
    allowance, pauses = RateLimit(a_store(), 120), []
    for _ in range(8):
        pauses.append(allowance.on_too_many_requests(0.0, 1.0))
        frozen_clock.moment += pauses[-1]

    assert pauses == pytest.approx([2, 4, 8, 16, 32, 60, 60, 60])


def test_rate_limit_pause_is_not_shortened_by_another_429(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    allowance.on_too_many_requests(100.0, 1.0)

    assert allowance.on_too_many_requests(10.0, 1.0) == pytest.approx(100.0)


def test_rate_limit_is_shared_between_workers(frozen_clock: Clock) -> None:
    store = a_store()
    one, other = RateLimit(store, 120), RateLimit(store, 120)
    for _ in range(5):
        one.acquire(0.0)
        other.acquire(0.0)

    assert one.available() == other.available() == 0
    with pytest.raises(Busy):
        one.acquire(0.1)


def test_rate_limit_is_not_prolonged_by_clock_set_back(frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    allowance = RateLimit(a_shared_store(), 120)
    allowance.on_too_many_requests(30.0, 1.0)
    monkeypatch.setattr(clock, "now", lambda: frozen_clock.moment - 86400)

    with pytest.raises(Busy):
        allowance.acquire(29.0)
    frozen_clock.moment += 30.0
    allowance.acquire(0.0)


@pytest.mark.parametrize("field", ["full", "pause", "slow"])
def test_rate_limit_ignores_state_from_before_clock_set_back(frozen_clock: Clock, field: str) -> None:
    store = a_store()
    left = replace(BucketState(), **{field: frozen_clock.moment + 86400})
    SharedState(store, "rate_limit", BucketState()).change(lambda _: (left, None), 1.0)

    assert RateLimit(store, 120).available() == 10


def test_rate_limit_obeys_retry_after_of_an_hour(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    allowance.on_too_many_requests(3600.0, 1.0)

    with pytest.raises(Busy):
        allowance.acquire(3599.0)


def test_rate_limit_forgets_old_429s(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    for _ in range(5):
        frozen_clock.moment += allowance.on_too_many_requests(0.0, 1.0)
    frozen_clock.moment += SLOW_SECONDS + 1

    assert allowance.on_too_many_requests(0.0, 1.0) <= 2


@pytest.mark.parametrize(("per_minute", "burst"), [(1, 1), (18, 1), (30, 2), (120, 10), (6000, 10)])
def test_rate_limit_burst_is_a_twelfth_and_ten_at_most(frozen_clock: Clock, per_minute: int, burst: int) -> None:
    allowance = RateLimit(a_store(), per_minute)

    assert (allowance.burst, allowance.available()) == (burst, burst)


def test_rate_limit_stops_queued_caller_after_429(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    client = a_client(peer.url, timeout=20, per_minute=12)
    assert client.rate_limit
    allowance = client.rate_limit
    allowance.acquire(0.0)
    monkeypatch.setattr(clock, "sleep", lambda seconds: allowance.on_too_many_requests(30.0, 1.0))

    error = fails(client, Busy, "The data provider has asked this site to wait.")

    assert isinstance(error, Busy)
    assert error.retry_after == pytest.approx(30, abs=5)
    assert peer.requests == []


def test_greedy_visitor_leaves_a_reserve_to_others(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    allowance.acquire(0.0, "reader")
    for _ in range(40):
        allowance.acquire(5.0, "greedy")

    assert allowance.available() >= allowance.burst // 2
    before = frozen_clock.moment
    for reader in "abcde":
        allowance.acquire(0.0, reader)
    assert frozen_clock.moment == before
    with pytest.raises(Busy, match=r"^This site has reached its request limit"):
        allowance.acquire(0.0, "greedy")


def test_lone_visitor_is_not_held_back(frozen_clock: Clock) -> None:
    allowance = RateLimit(a_store(), 120)
    begun = frozen_clock.moment
    for _ in range(40):
        allowance.acquire(5.0, "greedy")

    assert frozen_clock.moment - begun == pytest.approx(30 * 61 / 111)
    assert allowance.available() == 0


def test_rate_limit_keeps_what_callers_have_taken_ahead(frozen_clock: Clock) -> None:
    """Callers that wait for a minute, after a 429 and behind a burst, fill the bucket most."""
    store, allowance = a_store(), RateLimit(a_store(), 120)
    full = frozen_clock.moment + MAX_PATIENCE + 2 * allowance.burst * 61 / 111
    SharedState(store, "rate_limit", BucketState()).change(lambda _: (BucketState(full=full), None), 1.0)

    assert RateLimit(store, 120).available() == 0


def test_rate_limit_refuses_who_would_wait_too_long_in_the_queue(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowance = RateLimit(a_store(), 12)
    allowance.acquire(0.0)
    with allowance._turns.take("other", 0.0):
        # Nobody gets in line who cannot be served in time.
        monkeypatch.setattr(allowance._turns, "take", None)
        with pytest.raises(Busy, match=r"^This site has reached its request limit") as caught:
            allowance.acquire(4.9)

    assert caught.value.retry_after == pytest.approx(61 / 12)
