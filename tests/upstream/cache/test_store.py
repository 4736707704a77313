"""A broken, slow or full cache costs speed, and never causes an error."""

import pickle
import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from msgspec.msgpack import encode
from structlog.testing import capture_logs

from econweb.upstream import service
from econweb.upstream.cache import redis_backend
from econweb.upstream.cache import store as stores
from econweb.upstream.cache.decoded import DecodedCache, Entry
from econweb.upstream.cache.store import Store
from econweb.upstream.limits.circuit_breaker import BreakerState
from econweb.upstream.limits.shared_state import SharedState
from econweb.upstream.records import FetchedTags
from econweb.upstream.replies.decode import decode_series, decode_tags
from tests.upstream.client_calls import a_store
from tests.upstream.conftest import Clock
from tests.upstream.sample_replies import GOOD, a_series, a_series_reply, a_tag, a_tags_reply, as_json


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
    cache.set(stores._add_version("x"), "text")

    assert Store(cache, None).get("x") is None


def test_store_evicts_the_oldest_entries_beyond_its_bytes() -> None:
    store = Store(LocMemCache("bounded", {"OPTIONS": {"MAX_ENTRIES": 10**6}}), 100_000)
    for number in range(1000):
        store.put(str(number), bytes(9_500), 60)

    kept = [number for number in range(1000) if store.get(str(number))]

    assert kept == list(range(990, 1000))


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


def test_decoded_cache_counts_long_notes_as_several_records() -> None:
    notes = "x" * 1_000_000
    reply = decode_series(as_json(a_series_reply(a_series(notes=notes))), "json")
    tags = decode_tags(as_json(a_tags_reply(a_tag(notes=notes))), "json").tags
    fetched = FetchedTags(reply.realtime_start, reply.realtime_end, tags, None, (), False, {}, {})

    assert service._decode_series_reply(encode(reply))[1] > 1_000_000 / 1000
    assert service._decode_tag_set(encode(fetched))[1] > 1_000_000 / 1000


@pytest.mark.parametrize(("tags", "records"), [(0, 40), (1, 40), (1000, 1000)])
def test_decoded_cache_counts_a_set_by_its_tags(tags: int, records: int) -> None:
    reply = decode_tags(as_json(a_tags_reply(*[a_tag(name=str(number)) for number in range(tags)])), "json")
    fetched = FetchedTags(reply.realtime_start, reply.realtime_end, reply.tags, None, (), False, {}, {})

    assert service._decode_tag_set(encode(fetched))[1] == records


def test_decoded_cache_counts_a_series_as_ten_records() -> None:
    assert service._decode_series_reply(encode(decode_series(as_json(GOOD), "json")))[1] == 10


def test_redis_values_are_never_unpickled() -> None:
    serializer = redis_backend.PlainBytes()
    program = pickle.dumps({"a": 1})

    assert serializer.loads(program) == program


def test_decoded_cache_evicts_the_least_recently_used_answer() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for name in "abc":
        memory.put(name, Entry(1.0, name.upper(), 4))
        memory.get("a")

    assert [memory.get(name) for name in "abc"] == [Entry(1.0, "A", 4), None, Entry(1.0, "C", 4)]


def test_decoded_cache_counts_replaced_answers_once() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for _ in range(100):
        memory.put("a", Entry(1.0, "A", 5))
        memory.put("b", Entry(1.0, "B", 5))
    memory.drop("b")
    memory.drop("b")
    memory.put("c", Entry(1.0, "C", 5))

    assert [memory.get(name) for name in "abc"] == [Entry(1.0, "A", 5), None, Entry(1.0, "C", 5)]


def test_decoded_cache_does_not_count_evicted_answers() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for name, records in [("a", 4), ("b", 4), ("c", 4), ("d", 2), ("e", 4)]:
        memory.put(name, Entry(1.0, name, records))
    left = [name for name in "abcde" if memory.get(name)]
    memory.drop("c")
    memory.put("f", Entry(1.0, "f", 4))

    assert left == ["c", "d", "e"]
    assert [name for name in "cdef" if memory.get(name)] == ["d", "e", "f"]


def test_decoded_cache_holds_the_newest_large_answer_beside_the_others() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for name, records in [("a", 5), ("b", 5), ("b", 6), ("c", 1000), ("d", 1000), ("e", 5)]:
        memory.put(name, Entry(1.0, name, records))

    assert [name for name in "abcde" if memory.get(name)] == ["a", "d", "e"]


def test_decoded_cache_counts_a_large_answer_that_became_small() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for name, records in [("a", 1000), ("a", 4), ("b", 1000), ("c", 4)]:
        memory.put(name, Entry(1.0, name, records))

    assert [name for name in "abc" if memory.get(name)] == ["a", "b", "c"]


def test_decoded_cache_evicts_an_older_large_answer() -> None:
    memory: DecodedCache[str] = DecodedCache(max_records=10)
    for name, records in [("large", 1000), ("a", 5), ("b", 5), ("c", 5)]:
        memory.put(name, Entry(1.0, name, records))

    assert [name for name in ("large", "a", "b", "c") if memory.get(name)] == ["b", "c"]
