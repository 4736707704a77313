"""Twins share title, units and frequency, and differ in their seasonal adjustment."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from econweb.search_index.models import SeriesTitle
from econweb.search_index.titles import title_index
from econweb.search_index.titles.places import Record
from econweb.search_index.titles.twins import MAX_TWINS, find_twins, find_twins_in, twin_key
from tests.search_index.sample import sample_records

ADJUSTED, NOT_ADJUSTED = "Seasonally Adjusted", "Not Seasonally Adjusted"


def a_record(series_id: str = "A", **changes: Any) -> Record:
    return Record(series_id, "Unemployment Rate", "Monthly", ADJUSTED, "Percent", 50)._replace(**changes)


TWIN = a_record("B", seasonal_adjustment=NOT_ADJUSTED)


@pytest.mark.django_db
def test_twin_has_another_adjustment_and_nothing_else() -> None:
    others = [
        a_record("C", title="Employment Rate", seasonal_adjustment=NOT_ADJUSTED),
        a_record("D", units="Persons", seasonal_adjustment=NOT_ADJUSTED),
        a_record("E", frequency="Annual", seasonal_adjustment=NOT_ADJUSTED),
        a_record("F", title="Unemployment Rate (DISCONTINUED)", seasonal_adjustment=NOT_ADJUSTED),
        a_record("G"),
        a_record("H", seasonal_adjustment=""),
    ]
    title_index.add([a_record(), TWIN, *others], title_index.FETCHED)

    assert find_twins(a_record()) == [TWIN]
    assert find_twins_in([a_record(), TWIN, *others], a_record()) == [TWIN]


@pytest.mark.parametrize(
    "title",
    [
        "Unemployment Rate, Not Seasonally Adjusted",
        "UNEMPLOYMENT  RATE (NSA)",
        "Unemployment Rate: Seasonally Unadjusted",
    ],
)
@pytest.mark.django_db
def test_twin_may_name_its_adjustment_in_the_title(title: str) -> None:
    named = TWIN._replace(title=title)
    title_index.add([a_record(), named], title_index.FETCHED)

    assert find_twins(a_record()) == [named]


@pytest.mark.parametrize("title", ["Unemployment Rate in SA", "Adjusted Unemployment Rate", "Unemployment Rate (SADC)"])
def test_other_words_of_a_title_make_no_twins(title: str) -> None:
    assert twin_key(a_record(title=title)) != twin_key(a_record())


@pytest.mark.django_db
def test_equal_number_of_another_title_makes_no_twins() -> None:
    title_index.add([a_record(), a_record("B", title="Other", seasonal_adjustment=NOT_ADJUSTED)], title_index.FETCHED)
    SeriesTitle.objects.update(twin_key=twin_key(a_record()))

    assert find_twins(a_record()) == []


@pytest.mark.django_db
def test_twins_are_bounded_and_popular_first() -> None:
    many = [TWIN._replace(series_id=f"B{number}", popularity=number) for number in range(9)]
    title_index.add([a_record(), *many], title_index.FETCHED)
    expected = [f"B{number}" for number in range(8, 8 - MAX_TWINS, -1)]

    assert [one.series_id for one in find_twins(a_record())] == expected
    assert [one.series_id for one in find_twins_in(many, a_record())] == expected


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans a small table in another way")
@pytest.mark.django_db
def test_twins_take_one_query_of_the_index() -> None:
    title_index.add([a_record(), TWIN], title_index.FETCHED)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        find_twins(a_record())
    with connection.cursor() as cursor:
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}").fetchall()

    assert len(queries) == 1
    assert [step[-1] for step in plan] == ["SEARCH search_index_seriestitle USING INDEX title_by_twin_key (twin_key=?)"]


@pytest.mark.django_db
def test_imported_title_has_no_twin() -> None:
    title_index.add([Record("A", "Unemployment Rate"), Record("B", "Unemployment Rate")], title_index.IMPORTED)

    assert find_twins(Record("A", "Unemployment Rate")) == []
    assert set(SeriesTitle.objects.values_list("twin_key", flat=True)) == {None}


@pytest.mark.usefixtures("sample_titles")
def test_twins_of_the_sample_are_sixteen_pairs() -> None:
    found = {(one.series_id, twin.series_id) for one in sample_records() for twin in find_twins(one)}

    assert {tuple(sorted(pair)) for pair in found} == PAIRS
    assert len(found) == 2 * len(PAIRS)


# Read by hand.
PAIRS = {
    ("CPIAUCNS", "CPIAUCSL"),
    ("CPILFENS", "CPILFESL"),
    ("CSUSHPINSA", "CSUSHPISA"),
    ("ICNSA", "ICSA"),
    ("IEABC", "IEABCN"),
    ("IEABCG", "IEABCGN"),
    ("IEABCGS", "IEABCGSN"),
    ("IEABCP", "IEABCPN"),
    ("IEABCPI", "IEABCPIN"),
    ("IEABCS", "IEABCSN"),
    ("IEABCSI", "IEABCSIN"),
    ("INDPRO", "IPB50001N"),
    ("M1NS", "M1SL"),
    ("M2NS", "M2SL"),
    ("RSAFS", "RSAFSNA"),
    ("UNRATE", "UNRATENSA"),
}


@given(st.text(), st.text(), st.text(), st.text())
def test_twins_of_each_other(title: str, units: str, one: str, other: str) -> None:
    first, second = (a_record(name, title=title, units=units, seasonal_adjustment=name) for name in (one, other))

    assert bool(find_twins_in([second], first)) == bool(find_twins_in([first], second))
    assert twin_key(first) is None or -(2**63) <= (twin_key(first) or 0) < 2**63
