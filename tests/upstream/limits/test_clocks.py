"""The rate limit is exact whichever clock is moved, and however far."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.msgpack import encode

from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import Busy, Unavailable
from econweb.upstream.limits.circuit_breaker import FAILURES_TO_OPEN, CircuitBreaker
from econweb.upstream.limits.rate_limit import BucketState, RateLimit
from tests.upstream.client_calls import LocalSharedCache, a_store

MINUTES = [1.0, 5.0, 30.0, 65.0, 24 * 60.0]


@dataclass
class Hands:
    """Real seconds since the start, and how far each clock is from them."""

    real: float = 0.0
    # The time of day of the host that works at the moment.
    host: float = 1_790_000_000.0
    # The time of day of the machine where the shared cache runs.
    shared: float = 1_790_000_000.0
    # Real moments at which a request was let through.
    through: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.real + self.host

    def steady(self) -> float:
        return self.real + 5_000.0

    def sleep(self, seconds: float) -> None:
        self.real += max(0.0, seconds)

    def ask(self, allowance: RateLimit, patience: float = 0.0) -> bool:
        try:
            allowance.acquire(patience)
        except Busy:
            return False
        self.through.append(self.real)
        return True

    def most_in_a_minute(self) -> int:
        return max(sum(first <= moment < first + 59.999 for moment in self.through) for first in self.through)


class SharedCacheOfTest(LocalSharedCache):
    """A Redis whose clock is moved by hand, and whose entries do not expire meanwhile."""

    def __init__(self, name: str, hands: Hands) -> None:
        super().__init__(name, {})
        self._hands = hands

    def time(self) -> float:
        return self._hands.real + self._hands.shared


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return moved_by(monkeypatch)


def moved_by(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    for name in ("now", "steady", "sleep"):
        monkeypatch.setattr(clock, name, getattr(hands, name))
    return hands


@pytest.fixture
def shared(hands: Hands, request: pytest.FixtureRequest) -> Iterator[Callable[[], Store]]:
    cache = SharedCacheOfTest(request.node.name, hands)
    yield lambda: Store(cache, None)
    cache.clear()


@pytest.mark.parametrize("minutes", [sign * minutes for minutes in MINUTES for sign in (1, -1)])
@pytest.mark.parametrize("moved", ["host", "shared"])
def test_limits_ignore_a_moved_clock(hands: Hands, shared: Callable[[], Store], moved: str, minutes: float) -> None:
    """A8"""
    allowance = RateLimit(shared(), 120)
    for _ in range(allowance.burst):
        assert hands.ask(allowance)
    setattr(hands, moved, getattr(hands, moved) + 60 * minutes)

    assert not hands.ask(allowance)
    hands.real += 0.6
    assert hands.ask(allowance)
    assert not hands.ask(allowance)


@pytest.mark.parametrize("minutes", MINUTES)
def test_limits_use_monotonic_clock_without_shared_cache(hands: Hands, minutes: float) -> None:
    """A8"""
    allowance = RateLimit(a_store(), 120)
    while hands.ask(allowance):
        pass
    hands.host -= 60 * minutes
    hands.real += 0.6
    while hands.ask(allowance):
        pass

    assert len(hands.through) == allowance.burst + 1


@pytest.mark.parametrize("apart", [5.0, 30.0, 300.0])
def test_rate_limit_is_shared_by_hosts_with_different_clocks(
    hands: Hands, shared: Callable[[], Store], apart: float
) -> None:
    """A8"""
    hosts = [RateLimit(shared(), 120) for _ in range(2)]
    got = [0, 0]
    for step in range(1200):
        number = step % 2
        hands.host = 1_790_000_000.0 + number * apart
        got[number] += hands.ask(hosts[number])
        hands.real += 0.17

    assert hands.most_in_a_minute() <= 120
    assert min(got) > 0.3 * sum(got)
    # The steady rate, so that no turn is lost either.
    assert sum(got) > 0.9 * (1200 * 0.17) * 111 / 60


def test_rate_limit_without_cache_continues_from_last_known_time(
    hands: Hands, shared: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A8"""
    allowance = RateLimit(shared(), 120)
    hands.shared += 3600
    while hands.ask(allowance):
        pass
    monkeypatch.setattr(Store, "is_backing_off", lambda _: True)
    hands.host -= 1800
    hands.real += 0.6

    assert hands.ask(allowance)
    assert not hands.ask(allowance)


def test_rate_limit_pause_lasts_as_long_as_the_service_said(hands: Hands, shared: Callable[[], Store]) -> None:
    """A8"""
    one, other = RateLimit(shared(), 120), RateLimit(shared(), 120)
    one.on_too_many_requests(100.0, 1.0)
    hands.real += 50
    assert other.available() == 0
    hands.shared -= 1800

    assert not hands.ask(other, 49.0)
    hands.real += 50
    assert hands.ask(other)


def test_rate_limit_ignores_impossible_state(hands: Hands, shared: Callable[[], Store]) -> None:
    """An older version wrote such a state by the clock of its host."""
    store = shared()
    store.put("rate_limit", encode(BucketState(full=hands.now() + 1800)), 60, is_evictable=False)

    assert hands.ask(RateLimit(store, 120))


@given(
    st.sampled_from([12, 60, 120, 600]),
    st.lists(
        st.tuples(
            st.sampled_from(["ask", "ask", "ask", "wait", "host", "shared"]),
            st.sampled_from([-86400.0, -1800.0, -3.0, -0.2, 0.2, 3.0, 40.0, 1800.0, 86400.0]),
        ),
        min_size=10,
        max_size=60,
    ),
)
def test_rate_limit_holds_each_minute_when_clocks_jump(per_minute: int, steps: list[tuple[str, float]]) -> None:
    """A8"""
    with pytest.MonkeyPatch.context() as patch:
        hands = moved_by(patch)
        cache = SharedCacheOfTest("property", hands)
        cache.clear()
        allowance = RateLimit(Store(cache, None), per_minute)
        actions: dict[str, Callable[[float], object]] = {
            "ask": lambda _: [hands.ask(allowance) for _ in range(15)],
            "wait": lambda seconds: hands.sleep(min(abs(seconds), 20.0)),
            "host": partial(_jump, hands, "host"),
            "shared": partial(_jump, hands, "shared"),
        }
        for action, seconds in [*steps, ("ask", 0.0)]:
            actions[action](seconds)
            hands.real += 0.01
        assert hands.most_in_a_minute() <= per_minute

        _jump(hands, "shared", steps[0][1])
        # One interval, and what a worker may be behind another.
        hands.real += math.ceil(60.0 / (per_minute - allowance.burst + 1)) + 0.1
        assert hands.ask(allowance)


def _jump(hands: Hands, which: str, seconds: float) -> None:
    setattr(hands, which, getattr(hands, which) + seconds)


@pytest.mark.parametrize("apart", [30.0, 300.0])
def test_breaker_is_open_equally_long_for_hosts_with_different_clocks(
    hands: Hands, shared: Callable[[], Store], apart: float
) -> None:
    one, other = CircuitBreaker(shared(), 12.0), CircuitBreaker(shared(), 12.0)
    hands.host += apart
    for _ in range(FAILURES_TO_OPEN):
        one.report(is_good=False, is_probe=one.enter(1.0), patience=1.0)
    hands.host -= apart

    with pytest.raises(Unavailable):
        other.check()
    hands.real += 5.1
    other.check()
