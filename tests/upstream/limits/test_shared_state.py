"""A change of a state that workers share holds a lock, and waits for it no longer than its caller."""

import time

import msgspec
import pytest

from econweb.upstream.limits.circuit_breaker import BreakerState
from econweb.upstream.limits.shared_state import SharedState
from tests.upstream.client_calls import A_BUSY_MACHINE, a_shared_store
from tests.upstream.conftest import Clock


def test_shared_state_change_holds_a_lock() -> None:
    store = a_shared_store()

    def step(state: BreakerState) -> tuple[BreakerState, bool]:
        return state, store.add("breaker.lock", 60)

    assert not SharedState(store, "breaker", BreakerState()).change(step, 1.0)
    assert store.add("breaker.lock", 60)


@pytest.mark.parametrize(("seconds", "is_free"), [(0.9, False), (1.1, True)])
def test_shared_state_lock_lasts_a_second_when_its_worker_has_died(
    frozen_clock: Clock, seconds: float, is_free: bool
) -> None:
    store = a_shared_store()

    def step(state: BreakerState) -> tuple[BreakerState, bool]:
        frozen_clock.moment += seconds
        return state, store.add("breaker.lock", 60)

    assert SharedState(store, "breaker", BreakerState()).change(step, 1.0) is is_free


def test_shared_state_waits_for_lock_within_its_patience() -> None:
    store = a_shared_store()
    store.add("breaker.lock", 60)
    begun = time.monotonic()

    SharedState(store, "breaker", BreakerState()).change(lambda state: (BreakerState(1), None), 0.1)

    assert time.monotonic() - begun < 0.1 + A_BUSY_MACHINE
    assert not store.add("breaker.lock", 60)


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ({"failures": "many", "until": 1.0}, BreakerState()),
        ([1, 2, 3.0], BreakerState()),
        ({"failures": 2, "of_a_later_version": 1}, BreakerState(2)),
    ],
)
def test_shared_state_of_another_version_is_discarded_or_read_as_far_as_it_is_known(
    stored: object, read: BreakerState
) -> None:
    store = a_shared_store()
    store.put("breaker", msgspec.msgpack.encode(stored), 60, is_evictable=False)

    assert SharedState(store, "breaker", BreakerState()).get() == read
