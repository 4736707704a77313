"""A newer observation is overdue by frequency, unless the publisher still updates the series."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.series.lateness import FREQUENCIES, LATE_AFTER, MAX_LATENESS, is_late
from tests.dashboard.records import series_record

AS_OF = date(2026, 11, 20)
LONG_AGO = "2001-01-01 07:50:04-05"


def late(short: str, age: int, last_updated: str = LONG_AGO) -> bool:
    end = str(AS_OF - timedelta(days=age))
    return is_late(series_record(frequency_short=short, observation_end=end, last_updated=last_updated), AS_OF)


def updated(days: int) -> str:
    return f"{AS_OF - timedelta(days=days)} 07:50:04-05"


@pytest.mark.parametrize(("short", "days"), LATE_AFTER.items())
def test_series_is_late_by_its_frequency(short: str, days: int) -> None:
    assert (late(short, days), late(short, days + 1)) == (False, True)


@pytest.mark.parametrize(("short", "days"), LATE_AFTER.items())
def test_series_that_is_still_updated_is_late_after_three_times_as_long(short: str, days: int) -> None:
    ages = [days + 1, MAX_LATENESS * days, MAX_LATENESS * days + 1]

    assert [late(short, age, updated(days)) for age in ages] == [False, False, True]
    assert [late(short, age, updated(days + 1)) for age in ages] == [True, True, True]


@pytest.mark.parametrize(
    ("last_updated", "expected"), [(updated(-1), False), (updated(-2), True), ("2026-13-45 07:50:04-05", True)]
)
def test_update_after_the_day_or_of_no_day_counts_as_none(last_updated: str, expected: bool) -> None:
    assert late("M", 101, last_updated) is expected


def test_unknown_frequency_is_never_late() -> None:
    assert not late("5Y", 100_000)


def test_every_frequency_with_a_rule_has_a_name() -> None:
    assert FREQUENCIES.keys() == LATE_AFTER.keys()


@given(st.sampled_from(sorted(LATE_AFTER)), st.integers(0, 9000), st.integers(0, 9000), st.integers(0, 400))
def test_series_stays_late_until_it_changes(short: str, age: int, update: int, later: int) -> None:
    series: Any = series_record(
        frequency_short=short, observation_end=str(AS_OF - timedelta(days=age)), last_updated=updated(update)
    )

    assert is_late(series, AS_OF) <= is_late(series, AS_OF + timedelta(days=later))
