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
from tests.upstream.client_calls import A_BUSY_MACHINE, LocalSharedCache, a_client, a_shared_store
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
def test_no_caller_waits_for_a_slow_cache_past_its_deadline(peer: Peer, seconds: float, timeout: float) -> None:
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


def test_a_slow_cache_is_skipped_after_one_slow_operation() -> None:
    store, begun = slow(0.3), time.monotonic()
    for _ in range(100):
        store.put("x", b"1", 60)
        assert store.get("x") is None

    assert time.monotonic() - begun < 0.6 + A_BUSY_MACHINE


def test_the_first_operation_may_take_its_time_to_connect() -> None:
    pauses = [0.0, 0.3]
    cache = Cache(lambda: time.sleep(pauses.pop()))
    store = Store(cache, None)
    for _ in range(2):
        store.get("x")

    assert cache.operations == 2


def test_operations_that_wait_for_the_same_count_as_one() -> None:
    # All have begun before the first one ends.
    together = Barrier(8)
    pauses = [0.0]

    def wait() -> None:
        if pauses:
            time.sleep(pauses.pop())
        else:
            together.wait(30)
            time.sleep(0.1)

    store = Store(Cache(wait), None)
    store.get("x")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store.get, "abcdefgh"))

    assert not store.is_backing_off()


def test_a_slow_cache_is_used_again_after_the_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = slow(0.3), time.monotonic()
    store.put("x", b"1", 60)

    set_the_clock_of_the_store(monkeypatch, now + BACKOFF_SECONDS)
    assert store.get("x") is None
    set_the_clock_of_the_store(monkeypatch, now + 30)
    assert store.get("x") == b"1"


def test_operations_that_are_slow_again_and_again_make_a_slow_cache() -> None:
    store = slow(0.1)
    with capture_logs() as logs:
        for _ in range(2):
            store.get("x")

    assert store.is_backing_off()
    assert [(entry["event"], entry["kind"]) for entry in logs] == [(LEFT_ALONE, "slow")]


def test_a_cache_that_was_slow_may_be_fast_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses, now = [0.0, 0.0, 0.3, 0.0], time.monotonic()
    store = Store(Cache(lambda: time.sleep(pauses.pop())), None)
    for _ in range(2):
        store.get("x")
    set_the_clock_of_the_store(monkeypatch, now + 60)
    for _ in range(2):
        store.get("x")

    assert (store.is_backing_off(), pauses) == (False, [])


def test_one_slow_operation_among_many_is_not_a_slow_cache() -> None:
    pauses = [0.0, 0.0, 0.1, 0.0, 0.0]
    cache = Cache(lambda: time.sleep(pauses.pop()))
    store = Store(cache, None)
    for _ in range(5):
        store.get("x")

    assert cache.operations == 5


def test_a_cache_inside_this_process_is_not_slow() -> None:
    cache = Cache(lambda: time.sleep(0.2))
    store = Store(cache, 10**6)
    for _ in range(3):
        store.get("x")

    assert cache.operations == 3


def test_a_change_during_a_skip_of_the_cache_is_not_lost(hands: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_change_without_a_turn_is_local_and_written_by_the_next_turn() -> None:
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


def test_an_outdated_state_in_the_cache_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store, now = slow(0.3), time.monotonic()
    shared = SharedState(store, "breaker", BreakerState())
    shared.change(one_more, 5.0)
    set_the_clock_of_the_store(monkeypatch, now + 60)
    SharedState(store, "breaker", BreakerState()).change(lambda _: (BreakerState(7), None), 5.0)

    assert shared.get() == BreakerState(1)


def test_a_change_holds_a_lock_in_a_shared_cache() -> None:
    store = a_shared_store()

    def step(state: BreakerState) -> tuple[BreakerState, bool]:
        return state, store.add("breaker.lock", 60)

    assert not SharedState(store, "breaker", BreakerState()).change(step, 1.0)
    assert store.add("breaker.lock", 60)


def test_the_lock_of_another_process_is_waited_for_within_the_patience() -> None:
    store = a_shared_store()
    store.add("breaker.lock", 60)
    begun = time.monotonic()

    SharedState(store, "breaker", BreakerState()).change(lambda state: (BreakerState(1), None), 0.1)

    assert time.monotonic() - begun < 0.1 + A_BUSY_MACHINE
    assert not store.add("breaker.lock", 60)
