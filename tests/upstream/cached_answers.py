"""A service with a new answer for each call, and a cache of its answers."""

import struct
import time
from dataclasses import dataclass
from threading import Event
from typing import Any

from econweb.upstream import clock
from econweb.upstream.cache.answers import AnswerCache
from econweb.upstream.cache.store import Store
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import UpstreamError
from tests.upstream.client_calls import a_store

FRESH, STALE = 600.0, 86400.0


@dataclass
class Service:
    """Brings a new answer each time, or fails."""

    failure: UpstreamError | None = None
    calls: int = 0

    def fetch(self, deadline: Deadline) -> bytes:
        self.calls += 1
        if self.failure:
            raise self.failure
        return f"answer {self.calls}".encode()


@dataclass
class Slow(Service):
    """Says nothing until it may."""

    def __post_init__(self) -> None:
        self.asked, self.may_answer = Event(), Event()

    def fetch(self, deadline: Deadline) -> bytes:
        self.asked.set()
        self.may_answer.wait(10)
        return super().fetch(deadline)


def settled(kept: AnswerCache[Any], name: str = "x") -> None:
    """Wait until the running refresh has ended."""
    patience = Deadline(10)
    while kept._single_flight.is_running(name) and patience.remaining():
        time.sleep(0.002)


def answer_cache(store: Store | None = None, timeout: float = 1.0, **changes: Any) -> AnswerCache[str]:
    def decode(value: bytes) -> tuple[str, int]:
        return value.decode(), 1

    times = {"fresh_seconds": FRESH, "stale_seconds": STALE, **changes}
    return AnswerCache(store or a_store(), decode, timeout=timeout, **times)


def brought_elsewhere(store: Store) -> None:
    store.put("x", struct.pack(">d", clock.now()) + b"elsewhere", 60)
