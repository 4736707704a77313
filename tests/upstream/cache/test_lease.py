"""Leases: one process fetches, and the others wait for as long as it lives."""

import time
from threading import Event, Thread
from threading import enumerate as enumerate_threads

import pytest

from econweb.upstream import clock
from econweb.upstream.cache import lease
from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Unavailable
from tests.upstream.cached_answers import Service, Slow, answer_cache
from tests.upstream.client_calls import A_BUSY_MACHINE, a_shared_store

pytestmark = pytest.mark.slow


def test_waiting_process_never_waits_past_its_deadline() -> None:
    store, service = a_shared_store(), Service()
    store.add("x.fetching", 60)
    before = Deadline(60)

    with pytest.raises(Unavailable, match="did not answer in time"):
        answer_cache(store, timeout=0.2).get("x", service.fetch)

    assert 60 - before.remaining() < 0.2 + A_BUSY_MACHINE
    assert service.calls == 0


def test_waiting_process_takes_over_when_the_other_has_died() -> None:
    store, service = a_shared_store(), Service()
    store.add("x.fetching", 60)
    Thread(target=lambda: (clock.sleep(0.1), store.drop("x.fetching"))).start()  # type: ignore[func-returns-value]

    assert answer_cache(store, timeout=5).get("x", service.fetch)[0] == "answer 1"


def test_waiting_process_leaves_the_shared_cache_alone_between_its_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    store, service, pauses = a_shared_store(), Service(), list[float]()
    store.add("x.fetching", 60)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 20:
            store.drop("x.fetching")

    monkeypatch.setattr(clock, "sleep", sleep)

    assert answer_cache(store, timeout=60).get("x", service.fetch)[0] == "answer 1"
    # Neither busy nor so late that the readers notice it.
    assert all(0.01 <= pause <= 0.2 for pause in pauses)


@pytest.fixture
def short_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 2.0)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.1)


def asking(store: Store, service: Service) -> Thread:
    """Another process, which has asked and has no answer yet."""
    other = Thread(target=answer_cache(store, timeout=20).get, args=("x", service.fetch))
    other.start()
    return other


@pytest.mark.usefixtures("short_marks")
def test_lease_of_a_killed_process_expires_long_before_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, hangs, service = a_shared_store(), Slow(), Service()
    # Nothing of a process that was killed renews its mark.
    monkeypatch.setattr(lease.Lease, "_renew", lambda lease: None)
    other = asking(store, hangs)
    assert hangs.asked.wait(10)
    deadline = Deadline(10)

    assert answer_cache(store, timeout=10).get("x", service.fetch)[0] == "answer 1"
    assert deadline.remaining() > 5
    hangs.may_answer.set()
    other.join()


@pytest.mark.usefixtures("short_marks")
def test_lease_is_renewed_for_as_long_as_its_process_lives() -> None:
    store, slow, service = a_shared_store(), Slow(), Service()
    other = asking(store, slow)
    assert slow.asked.wait(10)

    with pytest.raises(Unavailable, match="did not answer in time"):
        answer_cache(store, timeout=3.5).get("x", service.fetch)

    assert service.calls == 0
    slow.may_answer.set()
    other.join()
    assert answer_cache(store).get("x", service.fetch)[0] == "answer 1"
    assert (slow.calls, service.calls) == (1, 0)


def test_released_lease_is_free_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.001)
    store = a_shared_store()
    for _ in range(50):
        mark = lease.Lease(store, "mark", Deadline(60))
        assert mark.acquire()
        mark.release()

    time.sleep(0.1)
    assert lease.Lease(store, "mark", Deadline(60)).acquire()


def test_lease_that_was_not_acquired_releases_none() -> None:
    store = a_shared_store()
    store.add("mark", 60)
    lease.Lease(store, "mark", Deadline(60)).release()

    assert not store.add("mark", 60)


def test_process_ends_without_waiting_for_its_leases() -> None:
    before = {*enumerate_threads()}
    held = lease.Lease(a_shared_store(), "mark", Deadline(60))
    assert held.acquire()

    assert [thread.daemon for thread in enumerate_threads() if thread not in before] == [True]
    held.release()


def test_unreleased_lease_ends_soon_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.2)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.01)
    store, patience = a_shared_store(), Deadline(10)
    assert lease.Lease(store, "mark", Deadline(0.1)).acquire()

    while not lease.Lease(store, "mark", Deadline(0)).acquire():
        assert patience.remaining(), "the mark is renewed for ever"
        time.sleep(0.05)


def test_delayed_process_does_not_renew_the_lease_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.05)
    monkeypatch.setattr(lease, "RENEW_SECONDS", 0.2)
    store, renewed = a_shared_store(), Event()
    monkeypatch.setattr(store, "put", lambda *_arguments, **_named: renewed.set())
    assert lease.Lease(store, "mark", Deadline(60)).acquire()

    assert not renewed.wait(0.6)


def test_delayed_process_does_not_release_the_lease_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_shared_store()
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.1)

    def overslept(deadline: Deadline) -> bytes:
        store.drop("x.fetching")
        store.add("x.fetching", 60)
        clock.sleep(0.2)
        return b"late"

    answer_cache(store, timeout=0.1).get("x", overslept)

    assert not store.add("x.fetching", 60)
