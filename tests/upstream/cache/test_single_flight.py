"""Single flight: one of many simultaneous callers fetches, and the others wait within their own deadlines."""

import time
from threading import Event, Thread

import pytest
from django.db import connections

from econweb.upstream.cache.single_flight import MAX_BACKGROUND, SingleFlight
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Unavailable


def under_way(single_flight: SingleFlight[str], may_end: Event, error: Exception | None = None) -> Thread:
    """A call that runs until it is released."""
    gone = Event()

    def fetch() -> str:
        gone.set()
        may_end.wait(5)
        if error:
            raise error
        return "brought"

    def go() -> None:
        try:
            single_flight.run_or_join("x", Deadline(5), fetch)
        except ValueError:
            return

    leader = Thread(target=go)
    leader.start()
    gone.wait(5)
    return leader


def test_waiting_caller_gives_up_at_its_own_deadline() -> None:
    single_flight, may_end = SingleFlight[str](), Event()
    leader = under_way(single_flight, may_end)

    with pytest.raises(Unavailable, match=r"^The data provider did not answer in time\.$"):
        single_flight.run_or_join("x", Deadline(0.1), str)

    # The other one has not come back yet.
    assert single_flight.is_running("x")
    may_end.set()
    leader.join()


def test_waiting_caller_gets_an_error_without_a_result() -> None:
    single_flight, may_end = SingleFlight[str](), Event()
    leader = under_way(single_flight, may_end, ValueError("a fault of this program"))
    Thread(target=lambda: (time.sleep(0.05), may_end.set())).start()  # type: ignore[func-returns-value]

    with pytest.raises(Unavailable, match=r"^The data provider cannot be asked\.$"):
        single_flight.run_or_join("x", Deadline(5), str)

    leader.join()


def test_single_flight_runs_again_after_it_ended() -> None:
    single_flight = SingleFlight[str]()

    assert single_flight.run_or_join("x", Deadline(1), lambda: "one") == "one"
    assert single_flight.run_or_join("x", Deadline(1), lambda: "two") == "two"
    assert not single_flight.is_running("x")


def test_joined_refresh_takes_no_background_slot() -> None:
    single_flight, may_end = SingleFlight[str](), Event()
    leader = under_way(single_flight, may_end)

    for _ in range(MAX_BACKGROUND + 1):
        assert single_flight.run_in_background("x", 0, str) is None

    assert single_flight.run_in_background("y", 10, lambda: "brought") == "brought"
    may_end.set()
    leader.join()


def test_background_refresh_closes_its_database_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Event()
    monkeypatch.setattr(connections, "close_all", closed.set)

    assert SingleFlight[str]().run_in_background("x", 10, lambda: "brought") == "brought"
    assert closed.wait(10)
