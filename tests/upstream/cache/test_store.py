"""A broken, slow or full cache costs speed, and never causes an error."""

import pickle
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from structlog.testing import capture_logs

from econweb.upstream.cache import redis_backend
from econweb.upstream.cache.store import Store
from econweb.upstream.limits.circuit_breaker import BreakerState
from econweb.upstream.limits.shared_state import SharedState
from tests.upstream.client_calls import a_store
from tests.upstream.conftest import Clock


class Broken(BaseCache):
    """A cache in which every operation fails; `calls` counts them."""

    def __init__(self) -> None:
        super().__init__({})
        self.calls = 0

    def _fail(self, *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        raise ConnectionError("redis://:word@cache.example.org")

    get = set = add = delete = read_prefix = _fail


def test_broken_cache_stores_nothing_and_blocks_no_caller() -> None:
    store = Store(Broken(), None)

    kept = store.put("x", b"1", 60)
    store.drop("x")

    assert (kept, store.get("x")) == (False, None)
    assert store.add("x", 60) is True


@pytest.mark.parametrize("call", ["get", "read_prefix", "add", "put", "drop"])
def test_broken_cache_is_skipped_for_a_while(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    cache, now = Broken(), time.monotonic()
    store = Store(cache, None)
    arguments = {"get": (), "read_prefix": (8,), "drop": (), "add": (60,), "put": (b"1", 60)}[call]
    with capture_logs() as logs:
        for _ in range(5):
            getattr(store, call)("x", *arguments)
    assert cache.calls == len(logs) == 1
    assert logs[0]["kind"] == "ConnectionError"
    assert "word" not in str(logs)

    monkeypatch.setattr("econweb.upstream.cache.store.time", SimpleNamespace(monotonic=lambda: now + 6))
    getattr(store, call)("x", *arguments)

    assert cache.calls == 2


def test_store_entry_expires(frozen_clock: Clock) -> None:
    store = a_store()
    store.put("x", b"1", 1000)
    store.add("mark", 1000)
    frozen_clock.moment += 999
    before = store.get("x"), store.add("mark", 1)
    frozen_clock.moment += 2

    assert before == (b"1", False)
    assert (store.get("x"), store.add("mark", 1)) == (None, True)


def test_store_value_that_is_not_bytes_is_a_miss() -> None:
    cache = LocMemCache("not bytes", {})
    cache.set("econweb.x", "text")

    assert Store(cache, None).get("x") is None


@pytest.mark.parametrize(("size", "count"), [(9_500, 10), (9_501, 9)])
def test_store_evicts_the_oldest_entries_beyond_its_bytes(size: int, count: int) -> None:
    store = Store(LocMemCache(f"bounded {size}", {"OPTIONS": {"MAX_ENTRIES": 10**6}}), 100_000)
    for number in range(1000):
        store.put(str(number), bytes(size), 60)

    kept = [number for number in range(1000) if store.get(str(number))]

    assert kept == list(range(1000 - count, 1000))


def test_store_counts_replaced_entry_once() -> None:
    store = Store(LocMemCache("replaced", {}), 100_000)
    store.put("first", bytes(10), 60)
    for _ in range(1000):
        store.put("second", bytes(9_500), 60)

    assert store.get("first") is not None


def test_store_does_not_count_dropped_entry() -> None:
    store = Store(LocMemCache("dropped", {}), 100_000)
    store.put("first", bytes(10), 60)
    for number in range(1000):
        store.put(str(number), bytes(9_500), 60)
        store.drop(str(number))

    assert store.get("first") is not None


def test_store_rejects_large_entry_without_eviction() -> None:
    store = Store(LocMemCache("large", {}), 100_000)
    store.put("small", bytes(10), 60)
    store.put("large", bytes(10), 60)
    kept = [store.put("large", bytes(25_001), 60), store.put("fits", bytes(25_000), 60)]

    assert kept == [False, True]
    assert [name for name in ("small", "large", "fits") if store.get(name)] == ["small", "fits"]


def test_store_never_evicts_shared_state() -> None:
    store = Store(LocMemCache("state", {"OPTIONS": {"MAX_ENTRIES": 10**6}}), 100_000)
    SharedState(store, "breaker", BreakerState()).change(lambda state: (BreakerState(failures=3), None), 1.0)
    for number in range(1000):
        store.put(str(number), bytes(9_500), 60)

    assert SharedState(store, "breaker", BreakerState()).get() == BreakerState(failures=3)


def test_redis_values_are_never_unpickled() -> None:
    serializer = redis_backend.PlainBytes()
    program = pickle.dumps({"a": 1})

    assert serializer.loads(program) == program
