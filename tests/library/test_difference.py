"""The difference between two sets of records: applied to the first set, it gives the second."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.library.canonical import Record, write_lines
from econweb.library.difference import Difference, find_difference
from econweb.upstream.records import Tag
from tests.library.builders import a_tag

# Few names and values, so that two sets have much in common.
tags = st.builds(
    a_tag,
    name=st.sampled_from("abcdef"),
    count=st.integers(0, 3) | st.integers(95, 106),
    group_id=st.sampled_from(["geo", "gen"]),
    popularity=st.integers(0, 2),
    notes=st.sampled_from([None, "n"]),
)


def apply(before: list[Tag], difference: Difference) -> list[Record]:
    """Carry out what the difference says, record by record."""
    records: list[Record] = list(before)
    for one in [*difference.gone, *(changed.before for changed in difference.changed)]:
        records.remove(one)
    return [*records, *difference.new, *(changed.after for changed in difference.changed)]


@given(st.lists(tags, max_size=12), st.lists(tags, max_size=12))
def test_difference_applied_to_the_first_set_gives_the_second(before: list[Tag], after: list[Tag]) -> None:
    difference = find_difference(before, after)

    assert write_lines(apply(before, difference)) == write_lines(after)
    assert [*difference.notable, *difference.small] == sorted(difference.changed, key=lambda one: one.is_small)
    assert difference.rows == 0 or write_lines(before) != write_lines(after)


@given(st.lists(tags, max_size=12))
def test_set_does_not_differ_from_itself(records: list[Tag]) -> None:
    assert find_difference(records, records[:]).rows == 0


@pytest.mark.parametrize(
    ("fields", "is_small"),
    [
        ({"popularity": 99}, True),
        ({"series_count": 105}, True),
        ({"series_count": 106}, False),
        ({"series_count": 94}, False),
        ({"notes": "Other"}, False),
        ({"group_id": "gen"}, None),
        ({"popularity": 2, "created": "2020-01-01 00:00:00-06"}, False),
    ],
)
def test_small_movements_are_no_news(fields: dict[str, object], is_small: bool | None) -> None:
    tag = a_tag("usa", 100)
    difference = find_difference([tag], [msgspec.structs.replace(tag, **fields)])

    # Another group is another tag.
    assert [one.is_small for one in difference.changed] == ([] if is_small is None else [is_small])
    assert (len(difference.gone), len(difference.new)) == ((1, 1) if is_small is None else (0, 0))


def test_change_names_its_fields() -> None:
    tag = a_tag("usa", 100)
    [changed] = find_difference([tag], [msgspec.structs.replace(tag, notes="A note", popularity=7)]).changed

    assert changed.fields() == [("popularity", 1, 7), ("notes", None, "A note")]
