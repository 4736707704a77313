"""What the tests of asking share."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from pytest_django import Settings

from econweb.upstream import clock, keeping
from tests.upstream.asking import KEY
from tests.upstream.peer import Peer, listening


@pytest.fixture
def peer() -> Iterator[Peer]:
    with listening() as listener:
        yield listener


@pytest.fixture
def pointed_at(settings: Settings, peer: Peer) -> Peer:
    """The service module asks this peer."""
    settings.ECON_BASE_URL, settings.ECON_API_KEY = peer.url, KEY
    return peer


@dataclass
class Clock:
    """The day's clock, to be moved by hand."""

    moment: float = 1_790_000_000.0

    def now(self) -> float:
        return self.moment

    def sleep(self, seconds: float) -> None:
        self.moment += max(0.0, seconds)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(clock, "now", moved.now)
    monkeypatch.setattr(clock, "sleep", moved.sleep)
    # What is stale is renewed before it is given, however busy the machine is.
    monkeypatch.setattr(keeping, "MOMENT", 10.0)
    # The time that a cache itself keeps.
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", moved.now)
    monkeypatch.setattr("django.core.cache.backends.base.time.time", moved.now)
    return moved
