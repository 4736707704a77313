"""A slow shared cache costs its time once, and no caller more than its deadline."""

import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from econweb.upstream.cache.store import BACKOFF_SECONDS, Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Busy, UpstreamError
from econweb.upstream.limits.circuit_breaker import BreakerState
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.limits.shared_state import SharedState
from tests.upstream.cached_answers import answer_cache
from tests.upstream.client_calls import A_BUSY_MACHINE, LocalSharedCache, a_client
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Peer, waits

pytestmark = pytest.mark.slow

LEFT_ALONE = "the cache fails or is slow, and is skipped for a while"


class Cache(LocalSharedCache):
    """`before` happens before each operation, and each is counted."""

    def __init__(self, before: Callable[[], object]) -> None:
        super().__init__(uuid.uuid4().hex, {})
        self.before, self.operations = before, 0

    def _first(self) -> None:
        self.operations += 1
        self.before()

    def get(self, *args: Any, **kwargs: Any) -> Any:
        self._first()
        return super().get(*args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._first()
        super().set(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        self._first()
        return super().add(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        self._first()
        return super().delete(*args, **kwargs)


def slow(seconds: float) -> Store:
    """It has been fast so far."""
    pauses = [0.0]
    store = Store(Cache(lambda: time.sleep(pauses.pop() if pauses else seconds)), None)
    store.get("x")
    return store


def set_the_clock_of_the_store(monkeypatch: pytest.MonkeyPatch, moment: float) -> None:
    """Other threads go on by the clock of the machine."""
    monkeypatch.setattr("econweb.upstream.cache.store.time", SimpleNamespace(monotonic=lambda: moment))


@pytest.mark.parametrize(("seconds", "timeout"), [(0.05, 2.0), (0.3, 1.0), (2.0, 3.0)])
def test_slow_cache_never_delays_caller_past_deadline(peer: Peer, seconds: float, timeout: float) -> None:
    peer.will(waits)
    store = slow(seconds)
    client, kept = a_client(peer.url, timeout, per_minute=600, store=store), answer_cache(store, timeout)

    def ask(number: int) -> float:
        begun = time.monotonic()
        with pytest.raises(UpstreamError):
            kept.get(f"x{number}", lambda deadline: client.get("series", {}, deadline))
        return time.monotonic() - begun

    with ThreadPoolExecutor(8) as pool:
        assert max(pool.map(ask, range(8))) <= 1.1 * timeout + A_BUSY_MACHINE


def test_slow_cache_is_skipped_after_one_slow_operation() -> None:
    cache = Cache(lambda: time.sleep(0.3))
    store = Store(cache, None)
    for _ in range(200):
        store.get("x")

    # The first one connects.
    assert cache.operations == 2


def test_slow_cache_may_be_slow_at_first_connection() -> None:
    pauses = [0.0, 0.3]
    cache = Cache(lambda: time.sleep(pauses.pop()))
    store = Store(cache, None)
    for _ in range(2):
        store.get("x")

    assert cache.operations == 2


def test_slow_cache_counts_simultaneous_slow_operations_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # All have begun before the first one ends, 0.1 s later by the clock of the store.
    now = [time.monotonic()]
    together = Barrier(8, lambda: now.append(now[0] + 0.1))
    is_first = [True]

    def wait() -> None:
        if is_first:
            is_first.pop()
        else:
            together.wait(30)

    monkeypatch.setattr("econweb.upstream.cache.store.time", SimpleNamespace(monotonic=lambda: now[-1]))
    store = Store(Cache(wait), None)
    store.get("x")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store.get, "abcdefgh"))

    assert not store.is_backing_off()


def test_slow_cache_is_used_again_after_the_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = slow(0.3), time.monotonic()
    store.put("x", b"1", 60)

    set_the_clock_of_the_store(monkeypatch, now + BACKOFF_SECONDS)
    assert store.get("x") is None
    set_the_clock_of_the_store(monkeypatch, now + 30)
    assert store.get("x") == b"1"


def test_cache_is_slow_after_repeated_slow_operations() -> None:
    store = slow(0.1)
    with capture_logs() as logs:
        for _ in range(2):
            store.get("x")

    assert store.is_backing_off()
    assert [(entry["event"], entry["kind"]) for entry in logs] == [(LEFT_ALONE, "slow")]


def test_slow_cache_may_recover(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses, now = [0.0, 0.0, 0.3, 0.0], time.monotonic()
    store = Store(Cache(lambda: time.sleep(pauses.pop())), None)
    for _ in range(2):
        store.get("x")
    set_the_clock_of_the_store(monkeypatch, now + 60)
    for _ in range(2):
        store.get("x")

    assert (store.is_backing_off(), pauses) == (False, [])


def test_cache_is_not_slow_after_one_slow_operation() -> None:
    pauses = [0.0, 0.0, 0.1, 0.0, 0.0]
    cache = Cache(lambda: time.sleep(pauses.pop()))
    store = Store(cache, None)
    for _ in range(5):
        store.get("x")

    assert cache.operations == 5


def test_cache_in_process_is_never_slow() -> None:
    cache = Cache(lambda: time.sleep(0.2))
    store = Store(cache, 10**6)
    for _ in range(3):
        store.get("x")

    assert cache.operations == 3


def test_shared_state_change_is_kept_while_cache_is_skipped(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = [0.0] * 5
    store, now = Store(Cache(lambda: time.sleep(pauses.pop() if pauses else 0.3)), None), time.monotonic()
    allowance = RateLimit(store, 120)
    allowance.acquire(0.0)
    for _ in range(9):
        allowance.acquire(0.0)

    set_the_clock_of_the_store(monkeypatch, now + 60)

    with pytest.raises(Busy):
        allowance.acquire(0.0)


def one_more(state: BreakerState) -> tuple[BreakerState, int]:
    return BreakerState(state.failures + 1), state.failures + 1


def test_shared_state_change_without_lock_is_written_by_the_next() -> None:
    asked, may_end = Event(), Event()
    may_end.set()

    def hangs() -> None:
        asked.set()
        may_end.wait(5)

    store = Store(Cache(hangs), 10**6)
    shared = SharedState(store, "breaker", BreakerState())
    shared.change(one_more, 5.0)
    asked.clear()
    may_end.clear()
    first = Thread(target=shared.change, args=(one_more, 5.0))
    first.start()
    asked.wait(5)
    before = Deadline(60)
    counted = [shared.change(one_more, 0.1) for _ in range(3)]
    waited = 60 - before.remaining()
    may_end.set()
    first.join()

    assert counted == [2, 3, 4]
    assert waited < 0.3 + A_BUSY_MACHINE
    assert shared.get() == SharedState(store, "breaker", BreakerState()).get() == BreakerState(5)


def test_shared_state_ignores_outdated_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = slow(0.3), time.monotonic()
    shared = SharedState(store, "breaker", BreakerState())
    shared.change(one_more, 5.0)
    set_the_clock_of_the_store(monkeypatch, now + 60)
    SharedState(store, "breaker", BreakerState()).change(lambda _: (BreakerState(7), None), 5.0)

    assert shared.get() == BreakerState(1)
