"""Pauses after wrong passwords: how long, for whom, and what stays in the database."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from econweb.accounts import throttle
from econweb.accounts.models import SignInTries

pytestmark = pytest.mark.django_db
HOUR = 3600.0
TRIES = 10_000


class Clock:
    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def checks_in_an_hour(clock: Clock, try_of: Callable[[int], tuple[str, ...]]) -> int:
    """Return how many of ten thousand tries in one hour may check a password."""
    checked = 0
    for number in range(TRIES):
        checked += throttle.start_try(*try_of(number)) == 0
        clock.pass_seconds(HOUR / TRIES)
    return checked


def test_throttle_pause_doubles_up_to_a_quarter_of_an_hour(clock: Clock) -> None:
    """A3"""
    pauses = []
    for _ in range(14):
        assert throttle.start_try("ada", "192.0.2.1") == 0
        pauses.append(throttle.seconds_to_wait("ada", "192.0.2.1"))
        clock.pass_seconds(pauses[-1])

    assert pauses == [0, 0, 0, 0, 15, 30, 60, 120, 240, 480, 900, 900, 900, 900]


@pytest.mark.slow
def test_throttle_bounds_guesses_at_one_account_from_many_clients(clock: Clock) -> None:
    """A3"""
    assert checks_in_an_hour(clock, lambda number: ("ada", f"192.0.2.{number % 100}")) <= 20


@pytest.mark.slow
def test_throttle_bounds_guesses_of_one_client_at_many_accounts(clock: Clock) -> None:
    """A3"""
    assert checks_in_an_hour(clock, lambda number: (f"account{number % 100}", "192.0.2.1")) <= 20


def test_throttle_lets_no_stranger_lock_out_a_known_browser(clock: Clock) -> None:
    """A3: for hours, from a hundred addresses, also from the one that the person shares."""
    throttle.forget_tries("ada", "192.0.2.1", "browser of ada")
    for number in range(500):
        throttle.start_try("ada", f"192.0.2.{number % 100}", "browser of eve")
        clock.pass_seconds(40)

    assert throttle.seconds_to_wait("ada", "192.0.2.1") > 0
    assert throttle.seconds_to_wait("ada", "192.0.2.1", "browser of ada") == 0
    assert throttle.start_try("ada", "192.0.2.1", "browser of ada") == 0


@pytest.mark.slow
def test_throttle_applies_to_a_known_browser(clock: Clock) -> None:
    """A3"""
    throttle.forget_tries("ada", "192.0.2.1", "browser of ada")

    assert checks_in_an_hour(clock, lambda number: ("ada", f"192.0.2.{number}", "browser of ada")) <= 20
    clock.pass_seconds(throttle.MAX_PAUSE.total_seconds())
    assert throttle.start_try("ada", "192.0.2.1", "browser of ada") == 0


@pytest.mark.slow
def test_throttle_knows_a_browser_for_one_account(clock: Clock) -> None:
    """A3"""
    throttle.forget_tries("eve", "192.0.2.9", "browser of eve")
    guesses = checks_in_an_hour(clock, lambda number: (f"account{number % 100}", "192.0.2.9", "browser of eve"))

    assert guesses <= 20


def test_throttle_pause_is_not_prolonged_by_attempts_within_it(clock: Clock) -> None:
    for _ in range(5):
        throttle.start_try("ada", "192.0.2.1")
    for _ in range(14):
        clock.pass_seconds(1)
        assert throttle.start_try("ada", "192.0.2.1") > 0
    clock.pass_seconds(1)

    assert throttle.seconds_to_wait("ada", "192.0.2.1") == 0


def test_throttle_forgives_the_attempt_that_succeeded_only(clock: Clock) -> None:
    """A client with an account of its own cannot wipe out its guesses at others."""
    for number in range(4):
        throttle.start_try(f"account{number}", "192.0.2.1")
    throttle.start_try("mallory", "192.0.2.1")
    throttle.forget_tries("mallory", "192.0.2.1", "")
    throttle.start_try("account9", "192.0.2.1")

    assert throttle.seconds_to_wait("account10", "192.0.2.1") > 0


@pytest.mark.parametrize("account", [f"account{number}" for number in range(6)])
def test_throttle_forgets_all_tries_at_an_account_after_a_sign_in(clock: Clock, account: str) -> None:
    """The digests of the account and of the client come in either order."""
    for number in range(8):
        if number == 4:
            throttle.forget_tries(account, "192.0.2.3", "")
        assert throttle.start_try(account, f"192.0.2.{number}") == 0


def test_throttle_rows_are_bounded_and_expire(clock: Clock) -> None:
    for number in range(1000):
        throttle.start_try(f"account{number}", "192.0.2.1")

    assert SignInTries.objects.count() == 1 + throttle.TRIES_BEFORE_PAUSE

    clock.pass_seconds(HOUR + 1)
    throttle.start_try("ada", "192.0.2.2")
    assert SignInTries.objects.count() == 2


def test_throttle_rows_name_no_client_or_account(clock: Clock) -> None:
    # No digest in hexadecimal has these letters or a dot.
    throttle.start_try("margaret", "192.0.2.1")

    assert SignInTries.objects.exists()
    assert not any("margaret" in row.key or "192.0" in row.key for row in SignInTries.objects.all())


def test_throttle_pause_is_not_prolonged_by_clock_set_back(clock: Clock) -> None:
    for _ in range(5):
        throttle.start_try("ada", "192.0.2.1")
    clock.pass_seconds(-86400)

    assert throttle.seconds_to_wait("ada", "192.0.2.1") <= throttle.MAX_PAUSE.total_seconds()
