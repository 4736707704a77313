"""Many simultaneous callers: one request per answer, within the rate limit and each deadline."""

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from econweb.upstream import client as econ_client
from econweb.upstream import service
from econweb.upstream.errors import Busy, NotFound, Unavailable, UpstreamError
from econweb.upstream.queries import SeriesQuery, TagQuery
from tests.upstream.client_calls import A_BUSY_MACHINE, KEY, ask, fails, good, leaks_nothing, recovers
from tests.upstream.conftest import Clock
from tests.upstream.raw_server import Behaviour, Peer, http, sends
from tests.upstream.sample_replies import GOOD_TAGS, as_json

pytestmark = pytest.mark.slow

TAGS = http(as_json(GOOD_TAGS))


@pytest.fixture
def pointed_at(settings: Settings, pointed_at: Peer) -> Peer:
    """Set a longer timeout: of many requests at once, some wait for their turn."""
    settings.ECON_TIMEOUT = 3.0
    return pointed_at


def all_at_once(number: int, call: Callable[[int], Any]) -> list[tuple[Any, float]]:
    """Return the result of each thread, and its seconds."""
    results: list[tuple[Any, float]] = []
    # A process does this when it starts.
    service.upstream()
    start = threading.Barrier(number)

    def run(index: int) -> None:
        start.wait()
        begun = time.monotonic()
        try:
            result = call(index)
        except UpstreamError as error:
            result = error
        results.append((result, time.monotonic() - begun))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def slowly(answer: bytes, seconds: float = 0.2) -> Behaviour:
    def behaviour(connection: socket.socket) -> None:
        time.sleep(seconds)
        connection.sendall(answer)

    return behaviour


def test_threads_send_one_request_for_a_cold_key(pointed_at: Peer, settings: Settings) -> None:
    pointed_at.will(slowly(TAGS))

    settings.ECON_TIMEOUT = 30.0

    results = all_at_once(500, lambda _: service.tags("category", 125, TagQuery()))

    assert [page.count for page, _ in results] == [2] * 500
    assert len(pointed_at.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind"), [(http(b"", 404), NotFound), (http(b"", 500), Unavailable)], ids=["404", "500"]
)
def test_threads_share_a_failure(pointed_at: Peer, answer: bytes, kind: type[UpstreamError]) -> None:
    pointed_at.will(slowly(answer))

    results = all_at_once(50, lambda _: service.series(SeriesQuery("GNPCA")))

    assert {type(error) for error, _ in results} == {kind}
    assert len({str(error) for error, _ in results} - {""}) == 1
    assert len({id(error) for error, _ in results}) == 50
    assert len(pointed_at.requests) == 1


def test_threads_stay_within_rate_limit(pointed_at: Peer, settings: Settings) -> None:
    pointed_at.will(slowly(TAGS, 0.01))

    begun = time.monotonic()

    results = all_at_once(200, lambda index: service.tags("category", index % 50, TagQuery()))

    moments = sorted(pointed_at.moments)
    assert 10 < len(moments) < 50
    for number, moment in enumerate(moments):
        assert number < 10 + 2 * (moment - begun) + 1
    assert max(seconds for _, seconds in results) <= 1.1 * settings.ECON_TIMEOUT + A_BUSY_MACHINE
    told = [error for error, _ in results if isinstance(error, Busy)]
    assert told
    assert all(error.retry_after > 0 for error in told)


def test_client_sends_eight_requests_at_once_at_most(pointed_at: Peer, settings: Settings) -> None:
    settings.ECON_REQUESTS_PER_MINUTE = 100_000
    under_way, most, lock = 0, 0, threading.Lock()

    def counts(connection: Any) -> None:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.1)
        with lock:
            under_way -= 1
        sends(good())(connection)

    pointed_at.will(counts)
    all_at_once(32, lambda index: service.series(SeriesQuery(f"GNPCA{index}")))

    assert most == 8


def test_slow_service_does_not_block_every_caller(
    pointed_at: Peer, settings: Settings, frozen_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """U37"""
    settings.ECON_REQUESTS_PER_MINUTE = 100_000
    settings.ECON_TIMEOUT = 10.0
    # Long enough that even a busy machine refuses the others before the first one that waits gives up.
    monkeypatch.setattr(econ_client, "CONNECTION_WAIT_SECONDS", 3.0)
    pointed_at.will(slowly(TAGS, 4.5))

    results = all_at_once(24, lambda index: service.tags("category", index, TagQuery()))

    errors = [(error, seconds) for error, seconds in results if isinstance(error, UpstreamError)]
    told = sorted(seconds for _, seconds in errors)
    answered = [seconds for page, seconds in results if not isinstance(page, UpstreamError)]
    assert {(type(error), str(error)) for error, _ in errors} == {
        (Busy, "This site has too many open requests to the data provider.")
    }
    assert (len(results), len(told)) == (24, 16)
    for error, _ in errors:
        leaks_nothing(error)
    # Eight may wait for a connection; the others get the error at once.
    assert told[7] < econ_client.CONNECTION_WAIT_SECONDS <= told[8]
    assert told[-1] < min(answered)
    # Eight slow answers open the circuit breaker for a while.
    frozen_clock.moment += 5
    pointed_at.will(TAGS)
    assert service.tags("category", 125, TagQuery()).count == 2


def test_slow_service_opens_the_breaker(pointed_at: Peer, settings: Settings, frozen_clock: Clock) -> None:
    """U37"""
    settings.ECON_TIMEOUT = 1.0
    pointed_at.will(slowly(good(), 0.5))
    client = service.upstream().client
    for _ in range(5):
        ask(client)

    assert service.state()["breaker"] == "open"
    words = "The data provider failed several times in a row. It will be asked again shortly."
    fails(client, Unavailable, words)
    assert len(pointed_at.requests) == 5
    frozen_clock.moment += 5
    recovers(pointed_at, client)
    assert service.state()["breaker"] == "closed"


def test_views_of_one_owner_need_one_request(pointed_at: Peer) -> None:
    pointed_at.will(http(as_json(GOOD_TAGS)))
    first = service.tags("release", 51, TagQuery())
    for query in (
        TagQuery(tag_group_id="geo"),
        TagQuery(tag_names=("nsa",)),
        TagQuery(order_by="name", sort_order="asc", limit=1, offset=1),
    ):
        assert service.tags("release", 51, query).total == first.total == 2

    assert len(pointed_at.requests) == 1


def test_search_text_and_period_have_their_own_set(pointed_at: Peer) -> None:
    pointed_at.will(http(as_json(GOOD_TAGS)))
    service.tags("release", 51, TagQuery())
    service.tags("release", 51, TagQuery(search_text="gross"))
    service.tags("release", 51, TagQuery(search_text=" gross "))
    service.tags("category", 51, TagQuery())

    assert len(pointed_at.requests) == 3


@pytest.mark.parametrize("file_type", ["json", "xml"])
def test_request_parameters_are_encoded_once(pointed_at: Peer, settings: Settings, file_type: str) -> None:
    settings.ECON_FILE_TYPE = file_type
    pointed_at.will(http(b"", 404))
    with pytest.raises(NotFound):
        service.tags("category", 125, TagQuery(search_text="a+b; c&d=é%"))

    line = pointed_at.requests[0].splitlines()[0]
    assert line == (
        "GET /econ/category/tags?category_id=125&search_text=a%2Bb%3B+c%26d%3D%C3%A9%25"
        "&order_by=name&sort_order=asc&limit=1000&offset=0"
        f"&api_key={KEY}&file_type={file_type} HTTP/1.1"
    )
    assert "User-Agent: econweb" in pointed_at.requests[0]
