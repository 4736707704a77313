"""One client leaves places in line and turns of the rate limit to the others."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import client_limits, service
from econweb.upstream.cache.single_flight import SingleFlight
from econweb.upstream.client_limits import MAX_IN_LINE, MAX_OF_ONE_CLIENT, MAX_OF_ONLY_CLIENT, Line
from econweb.upstream.errors import Busy, UpstreamError
from econweb.upstream.queries import SeriesQuery
from tests.fake_service import FakeService
from tests.upstream.client_calls import good
from tests.upstream.raw_server import Peer


@contextmanager
def asked_by(name: str) -> Iterator[None]:
    token = client_limits.client.set(name)
    try:
        yield
    finally:
        client_limits.client.reset(token)


def most_places(places: Line, stack: ExitStack) -> int:
    """Return how many more places the client gets."""
    for number in range(MAX_IN_LINE + 1):
        try:
            stack.enter_context(places.place())
        except Busy:
            return number
    raise AssertionError


def test_a_client_leaves_places_and_connections_to_others() -> None:
    places = Line()
    with ExitStack() as later:
        with asked_by("a"), ExitStack() as stack:
            assert most_places(places, stack) == MAX_OF_ONLY_CLIENT
            with asked_by("b"):
                later.enter_context(places.place())
        with asked_by("a"), ExitStack() as stack:
            assert most_places(places, stack) == MAX_OF_ONE_CLIENT


def test_refreshes_without_a_client_may_take_every_place() -> None:
    with ExitStack() as stack:
        assert most_places(Line(), stack) == MAX_IN_LINE


def test_clients_of_the_past_take_no_memory() -> None:
    places = Line()
    for number in range(100):
        with asked_by(str(number)), places.place():
            pass

    assert len(places._held) <= 1


def test_many_requests_of_one_client_leave_a_turn_to_another(pointed_at: Peer, settings: Settings) -> None:
    """The first client fills its part of the wait, and the second one still gets its turn in time."""
    settings.ECON_TIMEOUT, settings.ECON_REQUESTS_PER_MINUTE = 4.0, 120
    pointed_at.will(good())
    service.upstream()
    ended: list[UpstreamError | None] = []

    def ask(number: int) -> None:
        with asked_by("a"):
            try:
                service.series(SeriesQuery(f"A{number}"))
                ended.append(None)
            except UpstreamError as error:
                ended.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    # Ten are a burst, few wait for a turn, and the others are refused.
    while len(ended) < 15:
        threading.Event().wait(0.01)
    with asked_by("b"):
        page = service.series(SeriesQuery("GNPCA"))
    for thread in threads:
        thread.join()

    assert page.reply.seriess
    assert Busy in {type(error) for error in ended}


def test_a_request_is_counted_for_the_client_that_the_proxy_names(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService
) -> None:
    settings.BEHIND_PROXY = True
    seen = []
    answer = stand_in.get

    def get(endpoint: str, parameters: dict[str, str]) -> bytes:
        seen.append(client_limits.client.get())
        return answer(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", get)
    client.get("/series/GNPCA/", headers={"X-Forwarded-For": "192.0.2.7"})

    assert set(seen) == {"192.0.2.7"}
    assert not client_limits.client.get()


def test_a_fetch_in_a_thread_of_its_own_is_counted_for_its_client() -> None:
    with asked_by("a"):
        assert SingleFlight[str]().run_in_background("name", 10.0, client_limits.client.get) == "a"
