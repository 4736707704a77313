"""The checks report what makes series hard to use together, and nothing else."""

from datetime import date
from typing import Any

import pytest

from econweb.dashboard.series_list.checks import ValueGroup, find_oddities, summarise_oddities
from tests.dashboard.records import series_record

AS_OF = date(2026, 11, 20)


def alike(series_id: str = "A", **changes: Any) -> Any:
    return series_record(series_id, **{"observation_end": "2025-01-01", **changes})


def found(*seriess: Any) -> dict[str, tuple[str, ...]]:
    return {
        finding.kind: tuple(series_id for group in finding.groups for series_id in group.ids)
        for finding in find_oddities(seriess, AS_OF)
    }


def test_checks_report_nothing_for_series_that_fit() -> None:
    assert found(alike("A"), alike("B")) == {}


def test_checks_report_nothing_for_an_empty_list() -> None:
    assert found() == {}


@pytest.mark.parametrize("field", ["frequency", "units", "seasonal_adjustment"])
def test_checks_count_mixed_values(field: str) -> None:
    (finding,) = find_oddities([alike("A"), alike("B"), alike("C", **{field: "Other"})], AS_OF)

    assert finding.kind == field
    assert finding.most
    assert finding.most.count == 2
    assert finding.groups == (ValueGroup("Other", 1, ("C",)),)


def test_checks_name_series_of_every_value_without_a_majority() -> None:
    (finding,) = find_oddities([alike("A"), alike("B", units="Percent")], AS_OF)

    assert finding.most is None
    assert [(group.value, group.ids) for group in finding.groups] == [
        (alike().units, ("A",)),
        ("Percent", ("B",)),
    ]


def test_checks_name_every_value_and_few_odd_series() -> None:
    seriess = [alike("A"), *(alike(f"S{n}", units=f"Unit {n}") for n in range(6))]
    (values,) = find_oddities(seriess, AS_OF)
    many = [*(alike(f"A{n}") for n in range(9)), *(alike(f"S{n}", units="Percent") for n in range(6))]
    (named,), (counted,) = find_oddities(many[:-1], AS_OF), find_oddities(many, AS_OF)

    assert [group.value for group in values.groups[1:]] == [f"Unit {n}" for n in range(6)]
    assert named.groups == (ValueGroup("Percent", 5, ("S0", "S1", "S2", "S3", "S4")),)
    assert counted.groups == (ValueGroup("Percent", 6, ()),)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ([{"units": "Percent"}], "They differ in units."),
        ([{"units": "Percent", "frequency": "Weekly"}], "They differ in frequency and units."),
        ([{"title": "Old (DISCONTINUED)"}], "1 is discontinued."),
        ([{"observation_end": "2001-01-01"}] * 2, "2 have no recent data."),
        (
            [{"observation_start": "1800-01-01", "observation_end": "1801-01-01"}],
            "1 has no recent data. Not all of them overlap in time.",
        ),
    ],
)
def test_checks_have_a_verdict(fields: list[dict[str, str]], sentence: str) -> None:
    others = (alike(f"S{n}", **changes) for n, changes in enumerate(fields))

    assert summarise_oddities(find_oddities([alike("A"), *others], AS_OF)) == sentence


def test_checks_report_discontinued_series_not_as_late() -> None:
    ended = alike("OLD", title="Gold Price (DISCONTINUED)", observation_end="1999-01-01")

    assert found(alike("A"), ended) == {"discontinued": ("OLD",)}


def test_checks_report_periods_without_overlap() -> None:
    early = alike("EARLY", observation_start="1900-01-01", observation_end="1950-01-01", frequency_short="X")
    late = alike("LATE", observation_start="1950-01-02")

    assert found(early, late) == {"apart": ("EARLY", "LATE")}
    assert found(early, alike("MEETS", observation_start="1950-01-01")) == {}
