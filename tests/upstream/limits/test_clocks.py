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
class Clocks:
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
        return max(sum(first <= moment < first + 60.999 for moment in self.through) for first in self.through)


class SharedCacheOfTest(LocalSharedCache):
    """A Redis whose clock is moved by hand, and whose entries do not expire meanwhile."""

    def __init__(self, name: str, clocks: Clocks) -> None:
        super().__init__(name, {})
        self._clocks = clocks

    def time(self) -> float:
        return self._clocks.real + self._clocks.shared


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return moved_by(monkeypatch)


def moved_by(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    for name in ("now", "steady", "sleep"):
        monkeypatch.setattr(clock, name, getattr(clocks, name))
    return clocks


@pytest.fixture
def shared(clocks: Clocks, request: pytest.FixtureRequest) -> Iterator[Callable[[], Store]]:
    cache = SharedCacheOfTest(request.node.name, clocks)
    yield lambda: Store(cache, None)
    cache.clear()


@pytest.mark.parametrize("minutes", [sign * minutes for minutes in MINUTES for sign in (1, -1)])
@pytest.mark.parametrize("moved", ["host", "shared"])
def test_limits_ignore_a_moved_clock(clocks: Clocks, shared: Callable[[], Store], moved: str, minutes: float) -> None:
    """A8"""
    allowance = RateLimit(shared(), 120)
    for _ in range(allowance.burst):
        assert clocks.ask(allowance)
    setattr(clocks, moved, getattr(clocks, moved) + 60 * minutes)

    assert not clocks.ask(allowance)
    clocks.real += 0.6
    assert clocks.ask(allowance)
    assert not clocks.ask(allowance)


@pytest.mark.parametrize("minutes", MINUTES)
def test_limits_use_monotonic_clock_without_shared_cache(clocks: Clocks, minutes: float) -> None:
    """A8"""
    allowance = RateLimit(a_store(), 120)
    while clocks.ask(allowance):
        pass
    clocks.host -= 60 * minutes
    clocks.real += 0.6
    while clocks.ask(allowance):
        pass

    assert len(clocks.through) == allowance.burst + 1


@pytest.mark.parametrize("apart", [5.0, 30.0, 300.0])
def test_rate_limit_is_shared_by_hosts_with_different_clocks(
    clocks: Clocks, shared: Callable[[], Store], apart: float
) -> None:
    """A8"""
    hosts = [RateLimit(shared(), 120) for _ in range(2)]
    got = [0, 0]
    for step in range(1200):
        number = step % 2
        clocks.host = 1_790_000_000.0 + number * apart
        got[number] += clocks.ask(hosts[number])
        clocks.real += 0.17

    assert clocks.most_in_a_minute() <= 120
    assert min(got) > 0.3 * sum(got)
    # The steady rate, so that no turn is lost either.
    assert sum(got) > 0.9 * (1200 * 0.17) * 111 / 60


def test_rate_limit_without_cache_continues_from_last_known_time(
    clocks: Clocks, shared: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A8"""
    allowance = RateLimit(shared(), 120)
    clocks.shared += 3600
    while clocks.ask(allowance):
        pass
    monkeypatch.setattr(Store, "is_backing_off", lambda _: True)
    clocks.host -= 1800
    clocks.real += 0.6

    assert clocks.ask(allowance)
    assert not clocks.ask(allowance)


def test_rate_limit_pause_lasts_as_long_as_the_service_said(clocks: Clocks, shared: Callable[[], Store]) -> None:
    """A8"""
    one, other = RateLimit(shared(), 120), RateLimit(shared(), 120)
    one.on_too_many_requests(100.0, 1.0)
    clocks.real += 50
    assert other.available() == 0
    clocks.shared -= 1800

    assert not clocks.ask(other, 49.0)
    clocks.real += 50
    assert clocks.ask(other)


def test_rate_limit_counts_no_moment_twice(clocks: Clocks, shared: Callable[[], Store]) -> None:
    """Workers look at the shared clock at moments that are a little apart, and change the bucket in another order."""
    for step in range(10):
        clocks.shared += 0.04 if step % 2 else -0.04
        assert clocks.ask(RateLimit(shared(), 120))

    with pytest.raises(Busy) as caught:
        RateLimit(shared(), 120).acquire(0.0)
    assert caught.value.retry_after == pytest.approx(61 / 111, abs=0.05)


def test_rate_limit_goes_on_with_new_workers_after_the_shared_clock_was_set_back(
    clocks: Clocks, shared: Callable[[], Store]
) -> None:
    for _ in range(9):
        assert clocks.ask(RateLimit(shared(), 120))
    clocks.shared -= 1800
    assert clocks.ask(RateLimit(shared(), 120))
    clocks.real += 0.6

    assert clocks.ask(RateLimit(shared(), 120))


@pytest.mark.parametrize("ahead", [75.0, 1800.0])
def test_rate_limit_ignores_impossible_state(clocks: Clocks, shared: Callable[[], Store], ahead: float) -> None:
    """An older version wrote such a state by the clock of its host."""
    store = shared()
    store.put("rate_limit", encode(BucketState(full=clocks.now() + ahead)), 60, is_evictable=False)

    assert clocks.ask(RateLimit(store, 120))


@pytest.mark.slow
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
        clocks = moved_by(patch)
        cache = SharedCacheOfTest("property", clocks)
        cache.clear()
        allowance = RateLimit(Store(cache, None), per_minute)
        actions: dict[str, Callable[[float], object]] = {
            "ask": lambda _: [clocks.ask(allowance) for _ in range(15)],
            "wait": lambda seconds: clocks.sleep(min(abs(seconds), 20.0)),
            "host": partial(_jump, clocks, "host"),
            "shared": partial(_jump, clocks, "shared"),
        }
        for action, seconds in [*steps, ("ask", 0.0)]:
            actions[action](seconds)
            clocks.real += 0.01
        assert clocks.most_in_a_minute() <= per_minute

        _jump(clocks, "shared", steps[0][1])
        # One interval, and what a worker may be behind another.
        clocks.real += math.ceil(61.0 / (per_minute - allowance.burst + 1)) + 0.1
        assert clocks.ask(allowance)


def _jump(clocks: Clocks, which: str, seconds: float) -> None:
    setattr(clocks, which, getattr(clocks, which) + seconds)


@pytest.mark.parametrize("apart", [30.0, 300.0])
def test_breaker_is_open_equally_long_for_hosts_with_different_clocks(
    clocks: Clocks, shared: Callable[[], Store], apart: float
) -> None:
    one, other = CircuitBreaker(shared(), 12.0), CircuitBreaker(shared(), 12.0)
    clocks.host += apart
    for _ in range(FAILURES_TO_OPEN):
        one.report("It fails.", is_probe=one.enter(1.0), patience=1.0)
    clocks.host -= apart

    with pytest.raises(Unavailable):
        other.check()
    clocks.real += 5.1
    other.check()
