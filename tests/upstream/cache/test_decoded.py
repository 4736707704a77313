"""Decoded answers in a process: little is read again, and nothing older replaces them."""

import math
import struct
from collections.abc import Callable

import msgspec
import pytest
from msgspec.msgpack import encode

from econweb.upstream import clock, service
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.decoded import DecodedCache, Entry
from econweb.upstream.cache.store import Store
from econweb.upstream.records import FetchedTags
from econweb.upstream.replies.decode import decode_series, decode_tags
from tests.upstream.cached_answers import FRESH, STALE, Service, answer_cache
from tests.upstream.client_calls import LocalSharedCache, a_shared_store, a_store
from tests.upstream.conftest import Clock
from tests.upstream.sample_replies import GOOD, a_series, a_series_reply, a_tag, a_tags_reply, as_json


@pytest.mark.parametrize("build_store", [a_shared_store, a_store], ids=["shared", "its own"])
@pytest.mark.parametrize("fixtures", ["", "frozen_clock"], ids=["clock runs", "clock stands still"])
def test_decoded_answer_is_not_read_whole_from_the_cache_again(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, build_store: Callable[[], Store], fixtures: str
) -> None:
    """A set has two hundred kilobytes, and a shared cache is on another machine."""
    for fixture in fixtures.split():
        request.getfixturevalue(fixture)
    store, answer = build_store(), b"x" * 200_000
    kept = answer_cache(store)
    kept.get("x", lambda deadline: answer)
    read = noted(store, monkeypatch)
    answers = [kept.get("x", lambda deadline: b"another")[0] for _ in range(3)]

    assert answers == [answer.decode()] * 3
    assert sum(read) < 1000


def noted(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of bytes of each read."""
    read = []

    def noting(real: Callable[..., bytes | None]) -> Callable[..., bytes | None]:
        def note(*arguments: object) -> bytes | None:
            value = real(*arguments)
            read.append(len(value or b""))
            return value

        return note

    monkeypatch.setattr(store, "get", noting(store.get))
    monkeypatch.setattr(store, "read_prefix", noting(store.read_prefix))
    return read


SPOILT = [b"", b"spoilt", b"spoilt as well", struct.pack(">d", math.nan) + b"x", struct.pack(">d", 0) + b"x"]


@pytest.mark.parametrize("value", [None, *SPOILT])
def test_answer_lost_in_the_shared_cache_is_still_decoded_here(value: bytes | None) -> None:
    store, service = a_shared_store(), Service()
    kept = AnswerCache(store, strictly, FRESH, STALE, 1.0)
    kept.get("x", service.fetch)
    if value is None:
        store.drop("x")
    else:
        store.put("x", value, 60)

    assert [kept.get("x", service.fetch)[0] for _ in range(2)] == ["answer 1"] * 2
    assert service.calls == 1


def test_unreadable_newer_entry_keeps_decoded_answer() -> None:
    store, service = a_shared_store(), Service()
    kept = AnswerCache(store, strictly, FRESH, STALE, 1.0)
    kept.get("x", service.fetch)
    store.put("x", struct.pack(">d", clock.now() + 1) + b"spoilt", 60)

    assert kept.get("x", service.fetch)[0] == "answer 1"


def strictly(value: bytes) -> tuple[str, int]:
    if not value.startswith(b"answer"):
        raise msgspec.DecodeError
    return value.decode(), 1


def test_decoded_answer_is_shown_while_the_shared_cache_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    store, service = a_shared_store(), Service()
    kept = answer_cache(store)
    kept.get("x", service.fetch)

    def fails(*_arguments: object) -> bytes:
        raise ConnectionError

    monkeypatch.setattr(LocalSharedCache, "read_prefix", fails)

    assert kept.get("x", service.fetch)[0] == "answer 1"


@pytest.mark.parametrize("tells_of", [-FRESH, 1.0], ids=["the older one", "a younger one that is gone"])
def test_older_entry_does_not_replace_a_rejected_write(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch, tells_of: float
) -> None:
    """The store fails like a Redis that is full or read only; its entry may change after a look."""
    store, service = a_shared_store(), Service()
    kept = answer_cache(store)
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    monkeypatch.setattr(store, "put", lambda *_arguments, **_named: False)
    monkeypatch.setattr(store, "read_prefix", lambda *_: struct.pack(">d", clock.now() + tells_of))
    renewed = kept.get("x", service.fetch)[0]
    frozen_clock.moment += 1

    assert [renewed, *(kept.get("x", service.fetch)[0] for _ in range(2))] == ["answer 2"] * 3
    assert service.calls == 2


@pytest.mark.parametrize("build_store", [a_shared_store, a_store], ids=["shared", "its own"])
def test_late_read_does_not_replace_newer_decoded_answer(frozen_clock: Clock, build_store: Callable[[], Store]) -> None:
    """One caller reads an old answer, and a newer one is fetched while it is decoded."""
    store, service = build_store(), Service()
    answer_cache(store).get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    meanwhile: list[str] = []

    def decode(value: bytes) -> tuple[str, int]:
        if value == b"answer 1" and not meanwhile:
            meanwhile.append("begun")
            meanwhile.append(kept.get("x", service.fetch)[0])
        return value.decode(), 1

    kept: AnswerCache[str] = AnswerCache(store, decode, FRESH, STALE, 1.0)
    late = kept.get("x", service.fetch)[0]

    assert meanwhile[-1] == late == kept.get("x", service.fetch)[0] == "answer 2"
    assert service.calls == 2


@pytest.mark.parametrize(
    ("put_meanwhile", "held_then"),
    [
        (None, Entry(2.0, "decoded", 1)),
        (Entry(1.0, "older", 1), Entry(2.0, "decoded", 1)),
        (Entry(2.0, "the same", 1), Entry(2.0, "the same", 1)),
        (Entry(3.0, "younger", 1), Entry(3.0, "younger", 1)),
    ],
)
@pytest.mark.parametrize("seen", [None, Entry(1.5, "seen", 1)])
def test_newer_of_decoded_and_fetched_answer_is_cached(
    seen: Entry[str] | None, put_meanwhile: Entry[str] | None, held_then: Entry[str]
) -> None:
    memory: DecodedCache[str] = DecodedCache()
    for put in filter(None, (seen, put_meanwhile)):
        memory.put("x", put)

    assert memory.put_decoded("x", seen, Entry(2.0, "decoded", 1)) == held_then == memory.get("x")


def test_answer_dropped_during_decoding_is_not_cached_again() -> None:
    memory: DecodedCache[str] = DecodedCache()

    decoded = Entry(2.0, "decoded", 1)

    assert memory.put_decoded("x", Entry(1.0, "seen", 1), decoded) is decoded
    assert memory.get("x") is None


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
