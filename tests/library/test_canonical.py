"""The canonical form: RFC 8785 for each row, rows by name, and the same records again."""

import json
from datetime import date
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from econweb.library.canonical import digest, read_series, read_tags, write_lines
from econweb.upstream.records import Series, Tag

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.integers(-(2**53), 2**53)
stamps = st.just("2012-02-27 10:18:19-06")
tags = st.builds(
    Tag,
    name=texts.filter(bool),
    group_id=texts,
    created=stamps,
    popularity=numbers,
    series_count=st.integers(0, 2**53),
    notes=st.none() | texts,
)
days = st.dates(date(1, 1, 1), date(9999, 12, 31))
series = st.builds(
    Series,
    id=st.text("ABC0_", min_size=1, max_size=25),
    realtime_start=days,
    realtime_end=days,
    title=texts,
    observation_start=days,
    observation_end=days,
    frequency=texts,
    frequency_short=texts,
    units=texts,
    units_short=texts,
    seasonal_adjustment=texts,
    seasonal_adjustment_short=texts,
    last_updated=stamps,
    popularity=numbers,
    notes=st.none() | texts,
)


def as_rfc_8785(line: bytes) -> bytes:
    """Write the same values again: they are texts, whole numbers and null, and their names are ASCII."""
    return json.dumps(json.loads(line), sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


@given(st.lists(tags) | st.lists(series))
def test_each_line_is_canonical_json(records: list[Tag] | list[Series]) -> None:
    lines = write_lines(records)

    assert lines == b"".join(line + b"\n" for line in map(as_rfc_8785, lines.split(b"\n")[:-1]))
    assert lines.count(b"\n") == len(records)


@given(st.lists(tags), st.randoms())
def test_order_of_the_records_changes_nothing(records: list[Tag], chance: Random) -> None:
    lines = write_lines(records)
    chance.shuffle(records)

    assert write_lines(records) == lines
    assert [(tag.name, tag.group_id) for tag in read_tags(lines)] == sorted((one.name, one.group_id) for one in records)


@given(st.lists(tags))
def test_tags_are_read_back(records: list[Tag]) -> None:
    read = read_tags(write_lines(records))

    assert sorted(read, key=repr) == sorted(records, key=repr)


@given(st.lists(series))
def test_series_are_read_back(records: list[Series]) -> None:
    read = read_series(write_lines(records))

    assert sorted(read, key=repr) == sorted(records, key=repr)


def test_form_1_never_changes() -> None:
    """Digests that people have cited depend on it."""
    tag = Tag("z € \u2028 \x1f", "geo", "2012-02-27 10:18:19-06", 76, 9, 'a "note"\n')

    assert (
        write_lines([tag])
        == (
            '{"created":"2012-02-27 10:18:19-06","group_id":"geo","name":"z € \u2028 \\u001f",'
            '"notes":"a \\"note\\"\\n","popularity":76,"series_count":9}\n'
        ).encode()
    )
    assert digest(write_lines([tag])) == "9a52b8a5ffbb316d35629cbc282137575feb8f8ad692f90c75215a1b00de611b"
