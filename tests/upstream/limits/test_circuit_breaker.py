"""After repeated failures no request is sent, and then one probe at a time."""

import pytest
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.upstream.errors import Unavailable
from econweb.upstream.limits.circuit_breaker import FAILURES_TO_OPEN, CircuitBreaker
from econweb.upstream.new_client import build_client
from tests.upstream.client_calls import KEY, a_store
from tests.upstream.conftest import Clock
from tests.upstream.limits.breaker_calls import fail, lets_through


@pytest.fixture
def breaker(frozen_clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(a_store(), probe_seconds=12.0)


def test_breaker_stays_closed_after_few_failures(breaker: CircuitBreaker) -> None:
    fail(breaker, FAILURES_TO_OPEN - 1)

    assert (breaker.state(), lets_through(breaker)) == ("closed", 10)


def test_breaker_counts_failures_in_a_row_only(breaker: CircuitBreaker) -> None:
    for _ in range(3):
        fail(breaker, FAILURES_TO_OPEN - 1)
        breaker.report("", is_probe=breaker.enter(1.0), patience=1.0)

    assert breaker.state() == "closed"


def test_breaker_opens_after_repeated_failures(breaker: CircuitBreaker) -> None:
    fail(breaker, FAILURES_TO_OPEN)

    assert (breaker.state(), lets_through(breaker)) == ("open", 0)


def test_breaker_message_has_current_seconds(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment += 1.5

    words = r"^The data provider failed several times in a row\. It will be asked again shortly\.$"
    for ask in (breaker.check, lambda: breaker.enter(1.0)):
        with pytest.raises(Unavailable, match=words):
            ask()


def test_breaker_lets_exactly_one_probe_through(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment += 5.01

    assert breaker.state() == "half open"
    assert lets_through(breaker, 100) == 1
    assert breaker.state() == "open"


def test_breaker_closes_after_good_probe(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment += 5.01
    breaker.report("", is_probe=breaker.enter(1.0), patience=1.0)

    assert (breaker.state(), lets_through(breaker)) == ("closed", 10)
    fail(breaker, FAILURES_TO_OPEN - 1)
    assert breaker.state() == "closed"


def test_breaker_doubles_open_time_up_to_a_minute(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    rests = []
    for _ in range(6):
        rest = 0.0
        while breaker.state() == "open":
            frozen_clock.moment += 1.0
            rest += 1.0
        rests.append(rest)
        fail(breaker)

    assert rests == [5, 10, 20, 40, 60, 60]


def test_breaker_is_not_prolonged_by_earlier_failure(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    for _ in range(20):
        breaker.report("It fails.", is_probe=False, patience=1.0)
    frozen_clock.moment += 5.01

    assert breaker.state() == "half open"


def test_breaker_gives_up_silent_probe(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment += 5.01
    breaker.enter(1.0)
    frozen_clock.moment += 11.9
    assert lets_through(breaker) == 0
    frozen_clock.moment += 0.2

    assert lets_through(breaker) == 1


def test_breaker_probe_is_shared_between_workers(frozen_clock: Clock) -> None:
    store = a_store()
    one, other = CircuitBreaker(store, 12.0), CircuitBreaker(store, 12.0)
    fail(one, FAILURES_TO_OPEN)
    assert other.state() == "open"
    frozen_clock.moment += 5.01

    assert lets_through(one) + lets_through(other) == 1


def test_breaker_is_not_prolonged_by_clock_set_back(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    frozen_clock.moment -= 86400

    assert lets_through(breaker) == 1


def test_breaker_is_not_closed_by_earlier_answer(breaker: CircuitBreaker) -> None:
    fail(breaker, FAILURES_TO_OPEN)
    breaker.report("", is_probe=False, patience=1.0)

    assert breaker.state() == "open"


def test_breaker_logs_opening_and_closing(breaker: CircuitBreaker, frozen_clock: Clock) -> None:
    """O4"""
    with capture_logs() as logs:
        fail(breaker, FAILURES_TO_OPEN)
        # Failures of requests that were under way, then of a probe.
        breaker.report("It fails.", is_probe=False, patience=1.0)
        frozen_clock.moment += 5.01
        fail(breaker)
        frozen_clock.moment += 10.01
        breaker.report("", is_probe=breaker.enter(1.0), patience=1.0)
        breaker.report("", is_probe=breaker.enter(1.0), patience=1.0)

    assert [(line["log_level"], line["event"].partition(":")[0]) for line in logs] == [
        ("warning", "the circuit breaker opened"),
        ("warning", "the circuit breaker closed"),
    ]
    assert (logs[0]["failure"], breaker.failure()) == ("It fails.", "")


@pytest.mark.parametrize(("url", "state"), [("", "closed"), ("https://data.example.org", "open")])
def test_failures_of_an_embedded_service_close_no_other_host(settings: Settings, url: str, state: str) -> None:
    """Each process has its embedded service: one host without its database closed those of all."""
    settings.ECON_BASE_URL, settings.ECON_API_KEY = url, KEY
    shared = a_store()
    here, elsewhere = build_client(shared), build_client(shared)
    fail(elsewhere.breaker, FAILURES_TO_OPEN)

    assert (elsewhere.breaker.state(), here.breaker.state()) == ("open", state)
