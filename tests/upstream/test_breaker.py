"""A service that fails again and again is left alone, and one request at a time tries it."""

import pytest

from econweb.upstream.breaker import FAILURES, Breaker
from econweb.upstream.errors import Unavailable
from tests.upstream.asking import a_store
from tests.upstream.conftest import Clock


def fail(breaker: Breaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.report(good=False, probe=breaker.enter(1.0), patience=1.0)


def lets_through(breaker: Breaker, callers: int = 10) -> int:
    """How many of so many callers may ask."""
    through = 0
    for _ in range(callers):
        try:
            breaker.check()
            breaker.enter(1.0)
        except Unavailable:
            continue
        through += 1
    return through


@pytest.fixture
def breaker(hands: Clock) -> Breaker:
    return Breaker(a_store(), probe_seconds=12.0)


def test_a_few_failures_change_nothing(breaker: Breaker) -> None:
    fail(breaker, FAILURES - 1)

    assert (breaker.state(), lets_through(breaker)) == ("closed", 10)


def test_failures_have_to_be_in_a_row(breaker: Breaker) -> None:
    for _ in range(3):
        fail(breaker, FAILURES - 1)
        breaker.report(good=True, probe=breaker.enter(1.0), patience=1.0)

    assert breaker.state() == "closed"


def test_repeated_failures_open_it(breaker: Breaker) -> None:
    fail(breaker, FAILURES)

    assert (breaker.state(), lets_through(breaker)) == ("open", 0)


def test_its_words_hold_however_long_they_are_kept(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    hands.moment += 1.5

    words = r"^The service failed several times in a row\. It will be asked again shortly\.$"
    for ask in (breaker.check, lambda: breaker.enter(1.0)):
        with pytest.raises(Unavailable, match=words):
            ask()


def test_exactly_one_probe_goes_through(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    hands.moment += 5.01

    assert breaker.state() == "half open"
    assert lets_through(breaker, 100) == 1
    assert breaker.state() == "open"


def test_a_good_probe_closes_it(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    hands.moment += 5.01
    breaker.report(good=True, probe=breaker.enter(1.0), patience=1.0)

    assert (breaker.state(), lets_through(breaker)) == ("closed", 10)
    fail(breaker, FAILURES - 1)
    assert breaker.state() == "closed"


def test_bad_probes_double_the_rest_up_to_a_minute(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    rests = []
    for _ in range(6):
        rest = 0.0
        while breaker.state() == "open":
            hands.moment += 1.0
            rest += 1.0
        rests.append(rest)
        fail(breaker)

    assert rests == [5, 10, 20, 40, 60, 60]


def test_a_failure_from_before_the_rest_does_not_prolong_it(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    for _ in range(20):
        breaker.report(good=False, probe=False, patience=1.0)
    hands.moment += 5.01

    assert breaker.state() == "half open"


def test_a_probe_that_says_nothing_is_taken_for_lost(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    hands.moment += 5.01
    breaker.enter(1.0)
    hands.moment += 11.9
    assert lets_through(breaker) == 0
    hands.moment += 0.2

    assert lets_through(breaker) == 1


def test_all_who_share_a_cache_share_the_probe(hands: Clock) -> None:
    store = a_store()
    one, other = Breaker(store, 12.0), Breaker(store, 12.0)
    fail(one, FAILURES)
    assert other.state() == "open"
    hands.moment += 5.01

    assert lets_through(one) + lets_through(other) == 1


def test_a_clock_that_was_put_back_does_not_prolong_a_rest(breaker: Breaker, hands: Clock) -> None:
    fail(breaker, FAILURES)
    hands.moment -= 86400

    assert lets_through(breaker) == 1


def test_an_answer_from_before_the_rest_does_not_end_it(breaker: Breaker) -> None:
    fail(breaker, FAILURES)
    breaker.report(good=True, probe=False, patience=1.0)

    assert breaker.state() == "open"
