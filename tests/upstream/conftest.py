"""Fixtures of the tests of upstream."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from econweb.upstream import clock
from tests.upstream.client_calls import KEY
from tests.upstream.raw_server import Peer, listening


@pytest.fixture
def peer() -> Iterator[Peer]:
    with listening() as listener:
        yield listener


@pytest.fixture
def pointed_at(settings: Settings, peer: Peer) -> Peer:
    """Let the service module send its requests to this server."""
    settings.ECON_BASE_URL, settings.ECON_API_KEY = peer.url, KEY
    return peer


@dataclass
class Clock:
    """The wall clock and the monotonic clock, moved by the test."""

    moment: float = 1_790_000_000.0

    def now(self) -> float:
        return self.moment

    def sleep(self, seconds: float) -> None:
        self.moment += max(0.0, seconds)


@pytest.fixture
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(clock, "now", moved.now)
    monkeypatch.setattr(clock, "steady", moved.now)
    monkeypatch.setattr(clock, "sleep", moved.sleep)
    # A stale answer is refreshed before it is returned, however busy the machine is.
    monkeypatch.setattr("econweb.upstream.cache.answers.STALE_WAIT_SECONDS", 10.0)
    # The clock of Django's cache alone: all other code uses the clock of the machine.
    for module in ("locmem", "base"):
        monkeypatch.setattr(f"django.core.cache.backends.{module}.time", SimpleNamespace(time=moved.now))
    return moved
