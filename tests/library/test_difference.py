"""The difference between two sets of records: applied to the first set, it gives the second."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.library.canonical import Record, sort_key, write_lines
from econweb.library.difference import Difference, find_difference
from econweb.upstream.records import Series, Tag
from tests.library.builders import a_series_record, a_tag

# Few names and values, so that two sets have much in common.
tags = st.builds(
    a_tag,
    name=st.sampled_from("abcdef"),
    count=st.integers(0, 3) | st.integers(95, 106),
    group_id=st.sampled_from(["geo", "gen", "cc"]),
    popularity=st.integers(0, 2),
    notes=st.sampled_from([None, "n"]),
)


def apply(before: Sequence[Record], difference: Difference) -> list[Record]:
    """Carry out what the difference says: of a changed record, only the fields that it names."""
    records: list[Record] = list(before)
    for one in difference.gone:
        records.remove(one)
    for changed in [*difference.notable, *difference.small]:
        records.remove(changed.before)
        values = {name: new for name, old, new in changed.fields() if getattr(changed.before, name) == old}
        records.append(msgspec.structs.replace(changed.before, **values))
    return [*records, *difference.new]


@given(st.lists(tags, max_size=12), st.lists(tags, max_size=12))
def test_difference_applied_to_the_first_set_gives_the_second(before: list[Tag], after: list[Tag]) -> None:
    difference = find_difference(before, after)

    assert write_lines(apply(before, difference)) == write_lines(after)
    assert [*difference.notable, *difference.small] == sorted(difference.changed, key=lambda one: one.is_small)
    assert difference.rows == 0 or write_lines(before) != write_lines(after)
    # A name is both gone and new only where it is so more than once.
    gone, new = (Counter(sort_key(one)[0] for one in records) for records in (difference.gone, difference.new))
    assert gone.keys() & new.keys() == difference.names_in_both
    assert all(gone[name] + new[name] > 2 for name in difference.names_in_both)


@given(st.lists(tags, max_size=12), st.lists(tags, max_size=12), st.randoms())
def test_difference_depends_on_no_order_and_can_be_turned_round(
    before: list[Tag], after: list[Tag], chance: Random
) -> None:
    # Records of equal keys differ by their place alone.
    before, after = unique(before), unique(after)
    there, back = find_difference(before, after), find_difference(after, before)
    chance.shuffle(before)
    chance.shuffle(after)

    assert find_difference(before, after) == there
    assert (there.gone, there.new) == (back.new, back.gone)
    assert [(one.before, one.after) for one in there.changed] == [(one.after, one.before) for one in back.changed]
    # Nothing that stayed the same is listed.
    listed = [*there.gone, *there.new, *(one.before for one in there.changed), *(one.after for one in there.changed)]
    assert not [one for one in listed if one in before and one in after]


def unique(records: list[Tag]) -> list[Tag]:
    return list({sort_key(one): one for one in records}.values())


versions = st.builds(
    a_series_record,
    st.sampled_from(["GDP", "UNRATE"]),
    st.sampled_from([date(2000, 1, 1), date(2010, 1, 1)]),
    popularity=st.integers(0, 2),
    notes=st.sampled_from([None, "n"]),
    units=st.sampled_from(["Percent", "Index"]),
)


@given(st.lists(versions, max_size=6), st.lists(versions, max_size=6))
def test_difference_of_series_lists_applied_to_the_first_gives_the_second(
    before: list[Series], after: list[Series]
) -> None:
    assert write_lines(apply(before, find_difference(before, after))) == write_lines(after)


@given(st.lists(tags, max_size=12))
def test_set_does_not_differ_from_itself(records: list[Tag]) -> None:
    assert find_difference(records, records[:]).rows == 0


@pytest.mark.parametrize(
    ("fields", "is_small"),
    [
        ({"popularity": 6}, True),
        ({"popularity": 7}, False),
        ({"popularity": -4}, True),
        ({"popularity": -5}, False),
        ({"series_count": 105, "popularity": 7}, False),
        ({"series_count": 105}, True),
        ({"series_count": 106}, False),
        ({"series_count": 94}, False),
        ({"notes": "Other"}, False),
        ({"group_id": "gen"}, False),
        ({"group_id": "gen", "popularity": 2}, False),
        ({"popularity": 2, "created": "2020-01-01 00:00:00-06"}, False),
    ],
)
def test_small_movements_are_no_news(fields: dict[str, object], is_small: bool) -> None:
    tag = a_tag("usa", 100)
    difference = find_difference([tag], [msgspec.structs.replace(tag, **fields)])

    assert [one.is_small for one in difference.changed] == [is_small]
    assert difference.rows == 1


@pytest.mark.parametrize(("popularity", "is_small"), [(44, True), (34, True), (45, False), (33, False)])
def test_small_movement_of_a_series_is_of_popularity(popularity: int, is_small: bool) -> None:
    series = a_series_record("GNPCA", date(2014, 1, 1), popularity=39)
    difference = find_difference([series], [msgspec.structs.replace(series, popularity=popularity)])

    assert [one.is_small for one in difference.changed] == [is_small]


def test_tag_of_another_group_is_one_changed_row_where_its_name_tells_which() -> None:
    usa, other = a_tag("usa", 100), a_tag("usa", 7, group_id="gen")
    moved = msgspec.structs.replace(usa, group_id="cc", notes="A note")
    alone = find_difference([usa], [moved])
    beside = find_difference([usa, other], [moved, other])
    doubtful = find_difference([usa, other], [moved])

    assert [one.fields() for one in alone.changed] == [[("group_id", "geo", "cc"), ("notes", None, "A note")]]
    assert alone == beside
    assert (alone.rows, alone.names_in_both) == (1, set())
    assert (doubtful.gone, doubtful.new, doubtful.changed) == ([other, usa], [moved], [])
    assert doubtful.names_in_both == {"usa"}


def test_change_names_its_fields() -> None:
    tag = a_tag("usa", 100)
    [changed] = find_difference([tag], [msgspec.structs.replace(tag, notes="A note", popularity=7)]).changed

    assert changed.fields() == [("popularity", 1, 7), ("notes", None, "A note")]
