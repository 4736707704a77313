"""Relations that notes state. The rules were written for one part of the set of notes, and not for the other."""

import csv
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from econweb.dashboard.relations.in_notes import (
    MAX_READ,
    MAX_RELATIONS,
    REPLACED_BY,
    REPLACES,
    SEE_ALSO,
    SOURCE_CODE,
    Relation,
    _find_named,
    find_relations,
)

NOTES = Path(__file__).with_name("notes.csv")
# Read by hand: every relation that the notes of the sample have.
OF_THE_SAMPLE = {("GNPCA", SOURCE_CODE, "A001RX")}
Found = set[tuple[str, str, str]]


def stated(row: dict[str, str]) -> Found:
    expected = filter(None, (one.strip().rpartition(" ") for one in row["expected"].split(";") if one))
    return {(row["id"], kind, target) for kind, _, target in expected}


def found_in(series_id: str, notes: str) -> Found:
    return {(series_id, one.kind, one.target) for one in find_relations(notes, series_id)}


def measure(part: str) -> tuple[float, float, Found, Found]:
    """Return precision, recall, what was wrongly found and what was missed."""
    with NOTES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["part"] == part]
    expected: Found = set().union(*map(stated, rows))
    found: Found = set().union(*(found_in(row["id"], row["notes"].replace("\\n", "\n")) for row in rows))
    right = len(found & expected)
    return right / len(found), right / len(expected), found - expected, expected - found


@pytest.mark.parametrize(("part", "least_recall", "least_precision"), [("tuning", 1, 1), ("held out", 0.85, 0.95)])
def test_relations_of_the_set_of_notes_are_precise(part: str, least_recall: float, least_precision: float) -> None:
    precision, recall, wrong, missed = measure(part)
    print(f"{part}: precision {precision:.3f}, recall {recall:.3f}, wrong {wrong}, missed {missed}")  # noqa: T201

    assert precision >= least_precision, wrong
    assert recall >= least_recall, missed


def test_relations_of_the_sample_are_those_read_by_hand() -> None:
    with settings.SAMPLE_SERIES.open(encoding="utf-8", newline="") as rows:
        found = set().union(*(found_in(row["id"], row["notes"]) for row in csv.DictReader(rows)))

    assert found == OF_THE_SAMPLE


def test_relation_quotes_the_sentence_that_states_it() -> None:
    notes = "First.\r\nThis series was replaced by series ABC1 (https://fred.stlouisfed.org/series/ABC1). Last."

    assert find_relations(notes, "OLD") == (
        Relation(
            REPLACED_BY,
            "ABC1",
            "This series was replaced by series ABC1 (https://fred.stlouisfed.org/series/ABC1).",
        ),
    )


def test_stronger_kind_of_a_series_counts_and_comes_first() -> None:
    notes = "See series ABC1 and XYZ2. The source code is: Q9. It was replaced by ABC1."

    assert [(one.kind, one.target) for one in find_relations(notes)] == [
        (REPLACED_BY, "ABC1"),
        (SEE_ALSO, "XYZ2"),
        (SOURCE_CODE, "Q9"),
    ]


def test_relations_of_notes_are_bounded() -> None:
    many = "The sum of series " + " and ".join(f"AB{number}" for number in range(500))

    found = find_relations(many)

    assert [one.target for one in found] == [f"AB{number}" for number in range(MAX_RELATIONS)]
    assert max(len(one.quote) for one in found) < 200


def test_long_sentence_is_cut_between_words() -> None:
    """An id that was cut in two would be another one."""
    notes = "a series ABC1 " * 200

    assert {one.target for one in find_relations(notes)} == {"ABC1"}


@pytest.mark.parametrize(
    "notes",
    [
        "From the H15 release.",
        "See series H15, Selected Interest Rates.",
        "See also P60 and H15.",
        "Census series P60",
        "Tables of the Census Bureau series PUB2, as published.",
        "BLS Series LNS",
        "See also CDC and NAHB.",
    ],
)
def test_publication_and_series_of_an_agency_are_no_relations(notes: str) -> None:
    assert find_relations(notes) == ()


@pytest.mark.parametrize(
    ("notes", "kind"),
    [
        ("See also ABC1 and DEF.", SEE_ALSO),
        ("See also: ABC1, DEF.", SEE_ALSO),
        ("See also series ABC1 and series DEF.", SEE_ALSO),
        ("For the monthly series, see ABC1 and DEF.", SEE_ALSO),
        ("This series was replaced by ABC1 and DEF.", REPLACED_BY),
        ("This series was replaced by series ABC1 and series DEF.", REPLACED_BY),
        ("This series replaces ABC1 and DEF.", REPLACES),
    ],
)
def test_each_id_of_a_list_is_found_under_the_kind_of_the_first(notes: str, kind: str) -> None:
    assert [(one.kind, one.target) for one in find_relations(notes)] == [(kind, "ABC1"), (kind, "DEF")]


def test_id_with_a_statement_of_its_own_has_another_kind() -> None:
    found = find_relations("This series was replaced by ABC1, and series DEF2 is daily.")

    assert [(one.kind, one.target) for one in found] == [(REPLACED_BY, "ABC1"), (SEE_ALSO, "DEF2")]


def test_list_is_read_once() -> None:
    """Each of its items could begin a list of all that follow."""
    assert len([*_find_named("series ABC1, " * 70)]) == 70


def test_notes_are_read_at_their_beginning() -> None:
    statement = "It was replaced by ABC1."
    beginning = "x. " * (MAX_READ // 3 - len(statement))

    assert len(find_relations(beginning + statement)) == 1
    assert find_relations(beginning * 2 + statement) == ()


@given(st.text() | st.lists(st.sampled_from(["series ", "replaced by ", "ABC1", "GDP", "; ", ". ", "https://", "\n"])))
def test_relations_of_any_notes_are_words_of_them(words: str | list[str]) -> None:
    notes = "".join(words)

    for one in find_relations(notes, "GDP"):
        assert one.target in notes
        assert one.target != "GDP"
        assert one.target in one.quote
