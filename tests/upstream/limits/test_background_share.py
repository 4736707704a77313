"""The share of the rate limit for requests in the background is spaced evenly, whichever clock is moved."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from econweb.upstream.background import run_in_background
from econweb.upstream.cache.store import Store
from econweb.upstream.limits.background_share import BackgroundShare
from tests.upstream.client_calls import LocalSharedCache, a_client, a_shared_store, a_store, ask, good
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Peer


def moments(share: BackgroundShare, frozen_clock: Clock, count: int) -> list[float]:
    """Return the times of requests that are sent as soon as the share allows."""
    sent = []
    for _ in range(count):
        frozen_clock.moment += share.seconds_left()
        share.charge()
        sent.append(frozen_clock.moment)
    return sent


@pytest.mark.parametrize(("per_minute", "gap"), [(12.0, 5.0), (0.5, 120.0), (600.0, 0.1)])
def test_background_share_has_no_bursts(frozen_clock: Clock, per_minute: float, gap: float) -> None:
    share = BackgroundShare(a_store(), per_minute)
    frozen_clock.moment += 1000

    gaps = {round(later - earlier, 3) for earlier, later in pairwise(moments(share, frozen_clock, 20))}
    assert gaps == {gap}


def test_request_of_a_user_leaves_the_background_share_alone(peer: Peer, frozen_clock: Clock) -> None:
    share = BackgroundShare(a_store(), 12)
    client = replace(a_client(peer.url), background_share=share)
    peer.will(good(), good())
    ask(client)
    left = [share.seconds_left()]
    run_in_background(lambda: ask(client))

    assert [*left, share.seconds_left()] == [0.0, 5.0]


def test_background_share_is_paid_back(frozen_clock: Clock) -> None:
    share = BackgroundShare(a_store(), 12)
    for _ in range(4):
        share.charge()

    assert share.seconds_left() == pytest.approx(20)


def test_background_share_is_shared_between_workers(frozen_clock: Clock) -> None:
    store = a_shared_store()
    BackgroundShare(store, 12).charge()

    assert BackgroundShare(store, 12).seconds_left() == pytest.approx(5, abs=0.1)


def test_background_share_is_not_prolonged_by_a_clock_set_back(frozen_clock: Clock) -> None:
    share = BackgroundShare(a_store(), 12)
    share.charge()
    frozen_clock.moment -= 86_400

    assert share.seconds_left() == pytest.approx(5)


class Starting(LocalSharedCache):
    """A Redis that takes no mark until `is_ready`; a change begins with a mark."""

    is_ready = False

    def add(self, *args: Any, **kwargs: Any) -> bool:
        if not self.is_ready:
            raise ConnectionError
        return super().add(*args, **kwargs)


def test_background_share_is_kept_when_the_shared_cache_answers_later(
    frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, of_the_store = Starting("starting", {}), [1000.0]
    monkeypatch.setattr("econweb.upstream.cache.store.time", SimpleNamespace(monotonic=lambda: of_the_store[-1]))
    share = BackgroundShare(Store(cache, None), 12)
    for _ in range(3):
        share.charge()
    cache.is_ready = True
    of_the_store.append(1060.0)
    share.charge()

    assert share.seconds_left() == pytest.approx(20)
