"""One visitor leaves slots and turns of the rate limit to the others."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_network

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.upstream import service, visitor_limits
from econweb.upstream.cache.single_flight import SingleFlight
from econweb.upstream.errors import Busy, UpstreamError
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.transport.network import MAX_CONNECTIONS
from econweb.upstream.visitor_limits import MAX_BESIDE_OTHERS, MAX_OF_LONE_VISITOR, MAX_OPEN_REQUESTS, VisitorSlots
from tests.fake_service import FakeService
from tests.upstream.client_calls import good
from tests.upstream.raw_server import Peer


@contextmanager
def asked_by(name: str) -> Iterator[None]:
    token = visitor_limits.visitor.set(name)
    try:
        yield
    finally:
        visitor_limits.visitor.reset(token)


def most_slots(slots: VisitorSlots, stack: ExitStack) -> int:
    """Return how many more slots the visitor gets."""
    for number in range(MAX_OPEN_REQUESTS + 1):
        try:
            stack.enter_context(slots.hold_slot())
        except Busy:
            return number
    raise AssertionError


def test_visitor_limit_leaves_slots_to_others() -> None:
    slots = VisitorSlots()
    with ExitStack() as later:
        with asked_by("a"), ExitStack() as stack:
            assert most_slots(slots, stack) == MAX_OF_LONE_VISITOR
            with asked_by("b"):
                later.enter_context(slots.hold_slot())
        with asked_by("a"), ExitStack() as stack:
            assert most_slots(slots, stack) == MAX_BESIDE_OTHERS < MAX_CONNECTIONS


def test_refreshes_without_a_visitor_may_take_every_slot() -> None:
    with ExitStack() as stack:
        assert most_slots(VisitorSlots(), stack) == MAX_OPEN_REQUESTS


def test_past_visitors_take_no_memory() -> None:
    slots = VisitorSlots()
    for number in range(100):
        with asked_by(str(number)), slots.hold_slot():
            pass

    assert len(slots._held) <= 1


def test_many_requests_of_one_visitor_leave_a_turn_to_another(pointed_at: Peer, settings: Settings) -> None:
    """The first visitor fills its part of the wait, and the second one still gets its turn in time."""
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


def note_visitors(stand_in: FakeService, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the visitor of each request to the service."""
    seen = []
    answer = stand_in.get

    def get(endpoint: str, parameters: dict[str, str]) -> bytes:
        seen.append(visitor_limits.visitor.get())
        return answer(endpoint, parameters)

    monkeypatch.setattr(stand_in, "get", get)
    return seen


def test_visitor_limit_counts_visitor_named_by_proxy(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService
) -> None:
    settings.BEHIND_PROXY = True
    seen = note_visitors(stand_in, monkeypatch)
    client.get("/series/GNPCA/", headers={"X-Forwarded-For": "192.0.2.7"})

    assert set(seen) == {"192.0.2.7"}
    assert not visitor_limits.visitor.get()


def test_visitor_limit_counts_background_fetch_for_its_visitor() -> None:
    with asked_by("a"):
        assert SingleFlight[str]().run_in_background("name", 10.0, visitor_limits.visitor.get) == "a"


@pytest.mark.django_db
def test_people_behind_one_address_count_each_for_themselves(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, stand_in: FakeService
) -> None:
    settings.SIGN_IN, settings.PROXY_ADDRESSES = "proxy", [ip_network("127.0.0.1")]
    seen = note_visitors(stand_in, monkeypatch)
    for read in ("anyone", "signed-in"):
        settings.READ = read
        for name in ("ada", "grace"):
            Client(HTTP_ECONWEBUSER=name).get(f"/series/{name.upper()}{len(read)}/")

    assert seen == ["person ada", "person grace"] * 2
