"""What makes series hard to use together is told, and nothing else is."""

from datetime import date, timedelta
from typing import Any

import pytest

from econweb.dashboard.series_list.checks import LATE_AFTER, ValueGroup, find_oddities
from tests.dashboard.records import series_record

AS_OF = date(2026, 11, 20)


def alike(series_id: str = "A", **changes: Any) -> Any:
    return series_record(series_id, **{"observation_end": "2025-01-01", **changes})


def found(*seriess: Any) -> dict[str, tuple[str, ...]]:
    return {
        finding.kind: tuple(series_id for group in finding.groups for series_id in group.ids)
        for finding in find_oddities(seriess, AS_OF)
    }


def test_series_that_fit_together_are_left_in_peace() -> None:
    assert found(alike("A"), alike("B")) == {}


def test_no_series_have_no_fault() -> None:
    assert found() == {}


@pytest.mark.parametrize("field", ["frequency", "units", "seasonal_adjustment"])
def test_what_is_mixed_is_named_with_its_numbers(field: str) -> None:
    (finding,) = find_oddities([alike("A"), alike("B"), alike("C", **{field: "Other"})], AS_OF)

    assert finding.kind == field
    assert finding.most
    assert finding.most.count == 2
    assert finding.groups == (ValueGroup("Other", 1, ("C",)),)


def test_without_a_value_of_most_every_value_is_named_with_its_series() -> None:
    (finding,) = find_oddities([alike("A"), alike("B", units="Percent")], AS_OF)

    assert finding.most is None
    assert [(group.value, group.ids) for group in finding.groups] == [
        (alike().units, ("A",)),
        ("Percent", ("B",)),
    ]


def test_every_value_is_named_and_only_a_few_odd_series_are_named() -> None:
    seriess = [alike("A"), *(alike(f"S{n}", units=f"Unit {n}") for n in range(6))]
    (values,) = find_oddities(seriess, AS_OF)
    many = [*(alike(f"A{n}") for n in range(9)), *(alike(f"S{n}", units="Percent") for n in range(6))]
    (named,), (counted,) = find_oddities(many[:-1], AS_OF), find_oddities(many, AS_OF)

    assert [group.value for group in values.groups[1:]] == [f"Unit {n}" for n in range(6)]
    assert named.groups == (ValueGroup("Percent", 5, ("S0", "S1", "S2", "S3", "S4")),)
    assert counted.groups == (ValueGroup("Percent", 6, ()),)


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
