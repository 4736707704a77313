"""The canonical form: RFC 8785 for each row, rows by name, and the same records again."""

import json
from datetime import date
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from econweb.library.canonical import Record, digest, read_series, read_tags, write_lines
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


# A record, its line and its digest. Digests that people have cited depend on them.
FORM_1: tuple[tuple[Record, str, str], ...] = (
    (
        Tag("z € \u2028 \x1f", "geo", "2012-02-27 10:18:19-06", 76, 9, 'a "note"\n'),
        (
            '{"created":"2012-02-27 10:18:19-06","group_id":"geo","name":"z € \u2028 \\u001f",'
            '"notes":"a \\"note\\"\\n","popularity":76,"series_count":9}\n'
        ),
        "9a52b8a5ffbb316d35629cbc282137575feb8f8ad692f90c75215a1b00de611b",
    ),
    (
        Series(
            id="GNPCA",
            realtime_start=date(2026, 3, 1),
            realtime_end=date(9999, 12, 31),
            title="z € \u2028 \x1f",
            observation_start=date(929, 1, 1),
            observation_end=date(2025, 1, 1),
            frequency="Annual",
            frequency_short="A",
            units="Billions",
            units_short="Bil. $",
            seasonal_adjustment="Not Seasonally Adjusted",
            seasonal_adjustment_short="NSA",
            last_updated="2012-02-27 10:18:19-06",
            popularity=-39,
            notes='a "note"\n',
        ),
        (
            '{"frequency":"Annual","frequency_short":"A","id":"GNPCA","last_updated":"2012-02-27 10:18:19-06",'
            '"notes":"a \\"note\\"\\n","observation_end":"2025-01-01","observation_start":"0929-01-01",'
            '"popularity":-39,"realtime_end":"9999-12-31","realtime_start":"2026-03-01",'
            '"seasonal_adjustment":"Not Seasonally Adjusted","seasonal_adjustment_short":"NSA",'
            '"title":"z € \u2028 \\u001f","units":"Billions","units_short":"Bil. $"}\n'
        ),
        "4fd11bddf7d13ced071317475a17950bcac46fa8342976f6936e2d35fd0001df",
    ),
)


@pytest.mark.parametrize(("record", "line", "sha256"), FORM_1)
def test_form_1_never_changes(record: Record, line: str, sha256: str) -> None:
    assert write_lines([record]) == line.encode()
    assert digest(write_lines([record])) == sha256


class LaterSeries(Series, frozen=True):
    later: int | None = None


class LaterTag(Tag, frozen=True):
    later: int | None = None


@pytest.mark.parametrize(("record", "line", "sha256"), FORM_1)
def test_field_that_records_get_later_is_not_in_form_1(record: Record, line: str, sha256: str) -> None:
    """A view that did not change keeps its digest, and old lines stay readable."""
    later: type[Record] = LaterTag if isinstance(record, Tag) else LaterSeries
    fields = msgspec.structs.asdict(record)
    with_more = msgspec.convert(fields | {"later": 7}, later)

    assert digest(write_lines([with_more])) == sha256
    assert msgspec.json.decode(line, type=later) == msgspec.convert(fields, later)
