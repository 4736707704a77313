"""What other processes keep, and what they do meanwhile."""

import time
from collections.abc import Callable
from threading import Event, Thread

import pytest

from econweb.upstream import clock
from econweb.upstream.cache import lease
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.recent_failures import RecentFailures
from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Refused, Unavailable
from tests.upstream.cached_answers import FRESH, Service, Slow, brought_elsewhere, keeping
from tests.upstream.client_calls import A_BUSY_MACHINE, LocalSharedCache, a_shared_store
from tests.upstream.conftest import Clock

pytestmark = pytest.mark.slow


def test_another_process_finds_what_this_one_brought(hands: Clock) -> None:
    store, service = a_shared_store(), Service()
    keeping(store).get("x", service.fetch)

    assert keeping(store).get("x", service.fetch)[0] == "answer 1"


def test_what_another_process_kept_is_decoded_once() -> None:
    store, service, decoded = a_shared_store(), Service(), []

    def decode(value: bytes) -> tuple[str, int]:
        decoded.append(value)
        return value.decode(), 1

    keeping(store).get("x", service.fetch)
    here = AnswerCache(store, decode, FRESH, FRESH, 1.0)
    answers = [here.get("x", service.fetch)[0] for _ in range(3)]

    assert (answers, decoded) == (["answer 1"] * 3, [b"answer 1"])


def test_what_another_process_renewed_replaces_what_is_in_memory(hands: Clock) -> None:
    store, service = a_shared_store(), Service()
    here, there = keeping(store), keeping(store)
    here.get("x", service.fetch)
    hands.moment += FRESH + 1
    there.get("x", service.fetch)

    assert here.get("x", service.fetch)[0] == "answer 2"
    assert service.calls == 2


def test_a_cache_that_was_emptied_costs_nothing_where_it_is_still_in_memory() -> None:
    cache = LocalSharedCache("emptied", {})
    kept, service = keeping(Store(cache, None)), Service()
    kept.get("x", service.fetch)
    cache.clear()

    assert kept.get("x", service.fetch)[0] == "answer 1"


def test_a_waiter_never_waits_longer_than_its_deadline() -> None:
    store, service = a_shared_store(), Service()
    store.add("x.fetching", 60)
    before = Deadline(60)

    with pytest.raises(Unavailable, match="did not answer in time"):
        keeping(store, timeout=0.2).get("x", service.fetch)

    assert 60 - before.remaining() < 0.2 + A_BUSY_MACHINE
    assert service.calls == 0


def test_a_waiter_takes_over_when_the_other_process_has_died() -> None:
    store, service = a_shared_store(), Service()
    store.add("x.fetching", 60)
    Thread(target=lambda: (clock.sleep(0.1), store.drop("x.fetching"))).start()  # type: ignore[func-returns-value]

    assert keeping(store, timeout=5).get("x", service.fetch)[0] == "answer 1"


@pytest.fixture
def short_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.1)


def asking(store: Store, service: Service) -> Thread:
    """Another process, which has asked and has no answer yet."""
    other = Thread(target=keeping(store, timeout=20).get, args=("x", service.fetch))
    other.start()
    return other


@pytest.mark.usefixtures("short_marks")
def test_a_waiter_goes_itself_long_before_its_deadline_when_the_other_process_was_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, hangs, service = a_shared_store(), Slow(), Service()
    # Nothing of a process that was killed renews its mark.
    monkeypatch.setattr(lease.Lease, "_renew", lambda lease: None)
    other = asking(store, hangs)
    assert hangs.asked.wait(10)
    deadline = Deadline(10)

    assert keeping(store, timeout=10).get("x", service.fetch)[0] == "answer 1"
    assert deadline.remaining() > 5
    hangs.may_answer.set()
    other.join()


@pytest.mark.usefixtures("short_marks")
def test_a_waiter_waits_for_a_process_that_lives_however_slow_the_service_is() -> None:
    store, slow, service = a_shared_store(), Slow(), Service()
    other = asking(store, slow)
    assert slow.asked.wait(10)

    with pytest.raises(Unavailable, match="did not answer in time"):
        keeping(store, timeout=2).get("x", service.fetch)

    assert service.calls == 0
    slow.may_answer.set()
    other.join()
    assert keeping(store).get("x", service.fetch)[0] == "answer 1"
    assert (slow.calls, service.calls) == (1, 0)


def test_nothing_is_left_of_a_mark_that_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.001)
    store = a_shared_store()
    for _ in range(50):
        mark = lease.Lease(store, "mark", Deadline(60))
        assert mark.acquire()
        mark.release()

    time.sleep(0.1)
    assert lease.Lease(store, "mark", Deadline(60)).acquire()


def test_a_mark_that_nobody_dropped_ends_soon_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.2)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.01)
    store, patience = a_shared_store(), Deadline(10)
    assert lease.Lease(store, "mark", Deadline(0.1)).acquire()

    while not lease.Lease(store, "mark", Deadline(0)).acquire():
        assert patience.remaining(), "the mark is renewed for ever"
        time.sleep(0.05)


def test_who_was_held_up_renews_no_mark_of_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.05)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.2)
    store, renewed = a_shared_store(), Event()
    monkeypatch.setattr(store, "put", lambda *_arguments, **_named: renewed.set())
    assert lease.Lease(store, "mark", Deadline(60)).acquire()

    assert not renewed.wait(0.6)


def meanwhile(store: Store, happens: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look that finds nothing and the mark that lets somebody ask."""
    real = store.add

    def add(name: str, seconds: float) -> bool:
        happens()
        return real(name, seconds)

    monkeypatch.setattr(store, "add", add)


@pytest.mark.parametrize("known", [False, True], ids=["cold", "stale"])
def test_what_another_has_brought_meanwhile_is_taken(
    hands: Clock, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    store, service = a_shared_store(), Service()
    kept = keeping(store)
    if known:
        kept.get("x", service.fetch)
        hands.moment += FRESH + 1
    meanwhile(store, lambda: brought_elsewhere(store), monkeypatch)

    assert kept.get("x", service.fetch)[0] == "elsewhere"
    assert service.calls == int(known)


def test_what_another_has_failed_at_meanwhile_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store, service = a_shared_store(), Service()
    meanwhile(store, lambda: RecentFailures(store).put("x", Refused("no key")), monkeypatch)

    with pytest.raises(Refused, match="no key"):
        keeping(store).get("x", service.fetch)

    assert service.calls == 0


def test_a_stale_answer_does_not_wait_for_another_process(hands: Clock) -> None:
    store, service = a_shared_store(), Service()
    kept = keeping(store)
    kept.get("x", service.fetch)
    hands.moment += FRESH + 1
    store.add("x.fetching", 60)

    thing, age = kept.get("x", service.fetch)

    assert (thing, age.stale, service.calls) == ("answer 1", True, 1)


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


def test_a_late_answer_does_not_replace_one_that_was_asked_for_after_it() -> None:
    store, others = a_shared_store(), Service()
    late = HeldUp(store, lambda: keeping(store).get("x", others.fetch))
    here = keeping(store, timeout=0.1)

    assert here.get("x", late.fetch)[0] == "answer 1"
    assert keeping(store).get("x", others.fetch)[0] == here.get("x", others.fetch)[0] == "answer 1"
    assert others.calls == 1


def test_a_late_answer_is_kept_when_nobody_has_brought_another() -> None:
    store, others = a_shared_store(), Service()

    assert keeping(store, timeout=0.1).get("x", HeldUp(store, list).fetch)[0] == "late"
    assert keeping(store).get("x", others.fetch)[0] == "late"


def test_who_was_held_up_does_not_take_the_mark_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_shared_store()
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.1)

    def overslept(deadline: Deadline) -> bytes:
        store.drop("x.fetching")
        store.add("x.fetching", 60)
        clock.sleep(0.2)
        return b"late"

    keeping(store, timeout=0.1).get("x", overslept)

    assert not store.add("x.fetching", 60)


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
    keeping(store).get("x", service.fetch)
    store.put("x", spoiled(store.get("x") or b""), 60)

    assert keeping(store).get("x", service.fetch)[0] == "answer 2"
