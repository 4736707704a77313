"""A service whose requests cost what they cost on a network, and clocks that a test moves."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.reading.reader import Reader
from econweb.upstream import clock, service
from econweb.upstream.client import EconClient
from econweb.upstream.errors import Busy, UpstreamError
from econweb.upstream.queries import TagQuery
from tests.fake_service import FakeService, a_tag

KEY = "abcdefghijklmnopqrstuvwxyz012345"


@dataclass
class World:
    """All clocks, and a service behind the real rate limit; a wait is noted and lets the time pass for its caller."""

    moment: float = 1_790_000_000.0
    waited: float = 0.0
    service: FakeService = field(default_factory=FakeService)
    # When each request reached the service.
    sent: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.moment

    def sleep(self, seconds: float) -> None:
        self.waited += max(0.0, seconds)

    def send(self, endpoint: str, parameters: dict[str, str], _deadline: object) -> object:
        self.sent.append(self.moment + self.waited)
        try:
            return self.service.get(endpoint, parameters)
        except UpstreamError as error:
            return error

    def knows(self, count: int) -> None:
        """Let the service have categories with one tag, and the label book their names."""
        for number in range(1, count + 1):
            self.service.has("category", number, [a_tag("usa"), a_tag(f"tag {number}")])
        save_labels(Label(kind="category", number=number, name=f"C {number}") for number in range(1, count + 1))

    def read(self, reader: Reader, seconds: float) -> None:
        """Let the reader work alone for this time."""
        end = self.moment + seconds
        while self.moment < end:
            self.moment += reader.step() + 0.001

    def asked(self) -> list[int]:
        return [int(parameters["category_id"]) for _, parameters in self.service.asked]

    def most_in_a_minute(self) -> int:
        times = sorted(self.sent)
        return max(sum(first <= moment < first + 59.999 for moment in times) for first in times)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> World:
    settings.ECON_BASE_URL, settings.ECON_API_KEY, settings.ECON_MAY_STORE = "https://data.example.org", KEY, True
    world = World()
    for name, replacement in (("now", world.now), ("steady", world.now), ("sleep", world.sleep)):
        monkeypatch.setattr(clock, name, replacement)
    for module in ("locmem", "base"):
        monkeypatch.setattr(f"django.core.cache.backends.{module}.time", SimpleNamespace(time=world.now))
    monkeypatch.setattr(EconClient, "_send", world.send)
    return world


def simulate(world: World, minutes: float, pause: float, reader: Reader | None, seed: int = 1) -> list[float]:
    """Let 8 users open pages, and the reader work beside them; return the seconds that each page waited."""
    chance = random.Random(seed)  # noqa: S311  no secret
    waits, end = list[float](), world.moment + 60 * minutes

    def open_page() -> float:
        world.waited = 0.0
        try:
            service.tags("category", chance.randint(1, 500), TagQuery())
        except Busy as error:
            return error.retry_after
        waits.append(world.waited)
        return world.waited + chance.expovariate(1 / pause)

    def read() -> float:
        world.waited = 0.0
        assert reader
        return max(reader.step(), 0.001)

    actors: list[Callable[[], float]] = [open_page] * 8 + [read] * bool(reader)
    turns = [(world.moment + number / 10, number) for number in range(len(actors))]
    while turns[0][0] < end:
        world.moment, number = heapq.heappop(turns)
        heapq.heappush(turns, (world.moment + actors[number](), number))
    return waits
