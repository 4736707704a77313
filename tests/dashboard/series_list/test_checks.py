"""What makes series hard to use together is told, and nothing else is."""

from datetime import date, timedelta
from typing import Any

import pytest

from econweb.dashboard.series_list.checks import LATE_AFTER, find_oddities
from tests.dashboard.records import series_record

AS_OF = date(2026, 11, 20)


def alike(series_id: str = "A", **changes: Any) -> Any:
    return series_record(series_id, **{"observation_end": "2025-01-01", **changes})


def found(*seriess: Any) -> dict[str, tuple[str, ...]]:
    return {finding.kind: finding.ids for finding in find_oddities(seriess, AS_OF)}


def test_series_that_fit_together_are_left_in_peace() -> None:
    assert found(alike("A"), alike("B")) == {}


def test_no_series_have_no_fault() -> None:
    assert found() == {}


@pytest.mark.parametrize("field", ["frequency", "units", "seasonal_adjustment"])
def test_what_is_mixed_is_told_with_its_numbers(field: str) -> None:
    (finding,) = find_oddities([alike("A"), alike("B"), alike("C", **{field: "Other"})], AS_OF)

    assert finding.kind == field
    assert "(2), \u2068Other\u2069 (1). Not" in finding.words
    assert finding.ids == ("C",)


def test_every_value_is_told_and_only_a_few_odd_series_are_named() -> None:
    seriess = [alike("A"), *(alike(f"S{n}", units=f"Unit {n}") for n in range(6))]
    (many,), (few,) = find_oddities(seriess, AS_OF), find_oddities(seriess[:-1], AS_OF)

    assert [f"Unit {n}\u2069 (1)" in many.words for n in range(6)] == [True] * 6
    assert many.words.startswith("7 units: ")
    assert (many.ids, few.ids) == ((), ("S0", "S1", "S2", "S3", "S4"))


def test_discontinued_series_are_named_and_not_called_late() -> None:
    ended = alike("OLD", title="Gold Price (DISCONTINUED)", observation_end="1999-01-01")

    assert found(alike("A"), ended) == {"discontinued": ("OLD",)}


@pytest.mark.parametrize(("short", "days"), LATE_AFTER.items())
def test_a_series_is_late_only_after_what_its_frequency_allows(short: str, days: int) -> None:
    ends = {n: str(AS_OF - timedelta(days=days + n)) for n in (0, 1)}

    assert found(alike(frequency_short=short, observation_end=ends[0])) == {}
    assert found(alike(frequency_short=short, observation_end=ends[1])) == {"late": ("A",)}


def test_a_frequency_that_nobody_told_us_of_is_never_late() -> None:
    assert found(alike(frequency_short="5Y", observation_end="1990-01-01")) == {}


def test_periods_that_do_not_meet_are_named() -> None:
    early = alike("EARLY", observation_start="1900-01-01", observation_end="1950-01-01", frequency_short="X")
    late = alike("LATE", observation_start="1950-01-02")

    assert found(early, late) == {"apart": ("EARLY", "LATE")}
    assert found(early, alike("MEETS", observation_start="1950-01-01")) == {}
