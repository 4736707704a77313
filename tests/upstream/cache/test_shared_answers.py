"""Answers that several processes share in one cache."""

from collections.abc import Callable

import pytest

from econweb.upstream import clock
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.recent_failures import RecentFailures
from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Refused
from tests.upstream.cached_answers import FRESH, Service, answer_cache, brought_elsewhere
from tests.upstream.client_calls import LocalSharedCache, a_shared_store
from tests.upstream.conftest import Clock

pytestmark = pytest.mark.slow


def test_another_process_finds_an_answer_in_the_shared_cache(frozen_clock: Clock) -> None:
    store, service = a_shared_store(), Service()
    answer_cache(store).get("x", service.fetch)

    assert answer_cache(store).get("x", service.fetch)[0] == "answer 1"


def test_answer_of_another_process_is_decoded_once() -> None:
    store, service, decoded = a_shared_store(), Service(), []

    def decode(value: bytes) -> tuple[str, int]:
        decoded.append(value)
        return value.decode(), 1

    answer_cache(store).get("x", service.fetch)
    here = AnswerCache(store, decode, FRESH, FRESH, 1.0)
    answers = [here.get("x", service.fetch)[0] for _ in range(3)]

    assert (answers, decoded) == (["answer 1"] * 3, [b"answer 1"])


def test_answer_refreshed_by_another_process_replaces_the_decoded_one(frozen_clock: Clock) -> None:
    store, service = a_shared_store(), Service()
    here, there = answer_cache(store), answer_cache(store)
    here.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    there.get("x", service.fetch)

    assert here.get("x", service.fetch)[0] == "answer 2"
    assert service.calls == 2


def test_emptied_shared_cache_does_not_drop_decoded_answers() -> None:
    cache = LocalSharedCache("emptied", {})
    kept, service = answer_cache(Store(cache, None)), Service()
    kept.get("x", service.fetch)
    cache.clear()

    assert kept.get("x", service.fetch)[0] == "answer 1"


def meanwhile(store: Store, happens: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the cache miss and the lease."""
    real = store.add

    def add(name: str, seconds: float) -> bool:
        happens()
        return real(name, seconds)

    monkeypatch.setattr(store, "add", add)


@pytest.mark.parametrize("known", [False, True], ids=["cold", "stale"])
def test_answer_fetched_by_another_process_is_used(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    store, service = a_shared_store(), Service()
    kept = answer_cache(store)
    if known:
        kept.get("x", service.fetch)
        frozen_clock.moment += FRESH + 1
    meanwhile(store, lambda: brought_elsewhere(store), monkeypatch)

    assert kept.get("x", service.fetch)[0] == "elsewhere"
    assert service.calls == int(known)


def test_failure_of_another_process_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    store, service = a_shared_store(), Service()
    meanwhile(store, lambda: RecentFailures(store).put("x", Refused("no key")), monkeypatch)

    with pytest.raises(Refused, match="no key"):
        answer_cache(store).get("x", service.fetch)

    assert service.calls == 0


def test_stale_answer_does_not_wait_for_another_process(frozen_clock: Clock) -> None:
    store, service = a_shared_store(), Service()
    kept = answer_cache(store)
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    store.add("x.fetching", 60)

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.is_stale, service.calls) == ("answer 1", True, 1)


def test_reader_that_takes_no_stale_answer_waits_for_another_process(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, service = a_shared_store(), Service()
    kept = answer_cache(store, timeout=60)
    kept.get("x", service.fetch)
    frozen_clock.moment += FRESH + 1
    store.add("x.fetching", 60)

    def answer_elsewhere(seconds: float) -> None:
        brought_elsewhere(store)
        store.drop("x.fetching")

    monkeypatch.setattr(clock, "sleep", answer_elsewhere)
    thing, age = kept.get("x", service.fetch, renew=True, may_be_stale=False)

    assert (thing, age.is_stale, service.calls) == ("elsewhere", False, 1)


class HeldUp:
    """A process that is held up while it asks: its mark runs out, and others go on."""

    def __init__(self, store: Store, meanwhile: Callable[[], object]) -> None:
        self.store, self.meanwhile = store, meanwhile

    def fetch(self, deadline: Deadline) -> bytes:
        self.store.drop("x.fetching")
        self.meanwhile()
        while deadline.remaining():
            clock.sleep(deadline.remaining())
        return b"late"


def test_late_answer_does_not_replace_a_later_requested_one() -> None:
    store, others = a_shared_store(), Service()
    late = HeldUp(store, lambda: answer_cache(store).get("x", others.fetch))
    here = answer_cache(store, timeout=0.1)

    assert here.get("x", late.fetch)[0] == "answer 1"
    assert answer_cache(store).get("x", others.fetch)[0] == here.get("x", others.fetch)[0] == "answer 1"
    assert others.calls == 1


def test_late_answer_is_stored_when_there_is_no_other() -> None:
    store, others = a_shared_store(), Service()

    assert answer_cache(store, timeout=0.1).get("x", HeldUp(store, list).fetch)[0] == "late"
    assert answer_cache(store).get("x", others.fetch)[0] == "late"


GARBAGE: list[Callable[[bytes], bytes]] = [
    lambda value: b"",
    lambda value: b"short",
    lambda value: value[:8] + b"\xff\xfe",
    lambda value: b"\x7f\xf8" + value[2:],
    lambda value: b"\x7f\xf0" + bytes(6) + value[8:],
]


@pytest.mark.parametrize("spoiled", GARBAGE)
def test_garbage_in_the_cache_is_a_miss(spoiled: Callable[[bytes], bytes]) -> None:
    store, service = a_shared_store(), Service()
    answer_cache(store).get("x", service.fetch)
    store.put("x", spoiled(store.get("x") or b""), 60)

    assert answer_cache(store).get("x", service.fetch)[0] == "answer 2"
