"""Series counts per tag of an owner: encoded when the catalogue is loaded, decoded for an answer.

A series overlaps a real-time period when it has started by the period's end and has not ended before its start.
The exception is a period wholly in a gap between two of its versions. So the count of a tag is: series started,
less series ended, less series with a gap around the period.

Starts and ends are two event logs, stored in checkpoints of SERIES_PER_CHECKPOINT series each. A checkpoint
begins with the counts before it, so an answer reads one checkpoint of each log, whatever the number of series.

Stored numbers are unsigned and little-endian: 4 bytes each (`<u4`), or 2 (`<u2`) where a checkpoint says `H`.
"""

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, chain, repeat
from operator import sub

import msgspec

LAST_DAY = date.max.toordinal()
# A larger checkpoint makes an answer slower; a smaller one makes the tables larger.
SERIES_PER_CHECKPOINT = 512


@dataclass(frozen=True)
class AllSeries:
    """The days and tags of all series, indexed by the series' number; days are ordinals."""

    first_day: Sequence[int]
    last_day: Sequence[int]
    # Few series have days without a version between their first and their last day.
    gaps: Mapping[int, Sequence[tuple[int, int]]]
    # The tags of series n are `tags[tags_at[n] : tags_at[n + 1]]`.
    tags: Sequence[int]
    tags_at: Sequence[int]


class Gap(msgspec.Struct, frozen=True, array_like=True):
    """Days from first to last on which a series has no version."""

    first_day: int
    last_day: int
    tags: list[int]


class Counts(msgspec.Struct, frozen=True, array_like=True):
    """The counts for every period that starts on the day `steady` or later, when nothing starts or ends.

    The largest counts come first and ties go by name: the order that clients request most.
    """

    tags: bytes
    counts: bytes
    steady: int


class History(msgspec.Struct, frozen=True, array_like=True):
    """All tags that the owner ever had, in the order of names, and the gaps: needed for every past period."""

    tags: bytes
    gaps: list[Gap]


class CheckpointRecord(msgspec.Struct, frozen=True, array_like=True):
    """Some series in the order of their days, and the counts before them for each tag of the history.

    The tags of its series n are `tags[tags_at[n] : tags_at[n + 1]]`.
    """

    before: bytes
    days: bytes
    # `H` or `I`: half the bytes take half the time to read.
    code: str
    tags: bytes
    tags_at: bytes


@dataclass(frozen=True)
class EncodedCounts:
    """The encoded `Counts` and `History` of an owner, and its checkpoints, each with its first day."""

    counts: bytes
    history: bytes
    started: list[tuple[int, bytes]]
    ended: list[tuple[int, bytes]]


def encode_counts(members: Iterable[int], series: AllSeries) -> EncodedCounts:
    """Encode the counts of the owner that has these series, given by number."""
    members = sorted(members, key=series.first_day.__getitem__)
    leaving = [number for number in members if series.last_day[number] != LAST_DAY]
    leaving.sort(key=series.last_day.__getitem__)
    now = Counter(chain.from_iterable(_tags(number, series) for number in members))
    order = sorted(now)
    now.subtract(Counter(chain.from_iterable(_tags(number, series) for number in leaving)))
    gaps = [
        Gap(first, last, list(_tags(number, series)))
        for number in members
        for first, last in series.gaps.get(number, ())
    ]
    largest = sorted(filter(now.__getitem__, order), key=now.__getitem__, reverse=True)
    counts = Counts(
        _bytes(largest), _bytes(now[tag] for tag in largest), _find_steady_day(members, leaving, gaps, series)
    )
    return EncodedCounts(
        msgspec.msgpack.encode(counts),
        msgspec.msgpack.encode(History(_bytes(order), gaps)),
        list(encode_checkpoints(members, series.first_day, series, order)),
        list(encode_checkpoints(leaving, series.last_day, series, order)),
    )


def _find_steady_day(members: Sequence[int], leaving: Sequence[int], gaps: Iterable[Gap], series: AllSeries) -> int:
    """Return the first day after which no series starts or ends."""
    return max(
        [
            *(series.first_day[number] for number in members[-1:]),
            *(series.last_day[number] + 1 for number in leaving[-1:]),
            *(gap.last_day + 1 for gap in gaps),
        ],
        default=0,
    )


def encode_checkpoints(
    members: Sequence[int], day_of: Sequence[int], series: AllSeries, order: list[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield the checkpoints of these series, sorted by day, each with its first day."""
    before: Counter[int] = Counter()
    for start in range(0, len(members), SERIES_PER_CHECKPOINT):
        some = members[start : start + SERIES_PER_CHECKPOINT]
        days = [day_of[number] for number in some]
        tags_of = [_tags(number, series) for number in some]
        code, tags = "H" if order[-1:] < [2**16] else "I", [*chain.from_iterable(tags_of)]
        at = _bytes(accumulate(map(len, tags_of), initial=0))
        # All counts before the first checkpoint are 0.
        counts = _bytes(map(before.__getitem__, order)) if start else b""
        yield (days[0], msgspec.msgpack.encode(CheckpointRecord(counts, _bytes(days), code, _bytes(tags, code), at)))
        before.update(tags)


def decode_steady_counts(record: bytes) -> tuple[int, dict[int, int]]:
    """Return the first day from which the counts hold, and the count of each tag."""
    counts = msgspec.msgpack.decode(record, type=Counts)
    return counts.steady, dict(zip(_numbers(counts.tags), _numbers(counts.counts), strict=True))


def decode_history(record: bytes) -> History:
    return msgspec.msgpack.decode(record, type=History)


def counts_in_period(
    past: History, started: bytes | None, ended: bytes | None, first_day: int, last_day: int
) -> dict[int, int]:
    """Count from the last checkpoint of starts by the period's end, and the last of ends before its start."""
    started_of, ended_of = _counts_before(past, started, last_day + 1), _counts_before(past, ended, first_day)
    # They differ in length only when a load came in between; the caller discards such an answer.
    counts = dict(zip(started_of, map(sub, started_of.values(), ended_of.values()), strict=False))
    for gap in past.gaps:
        if gap.first_day <= first_day and last_day <= gap.last_day:
            for tag in gap.tags:
                counts[tag] -= 1
    return {tag: count for tag, count in counts.items() if count}


def _counts_before(past: History, record: bytes | None, day: int) -> Mapping[int, int]:
    """Return the count of each tag before the day, in the order of the history's tags."""
    order = _numbers(past.tags)
    if record is None:
        return dict.fromkeys(order, 0)
    checkpoint = msgspec.msgpack.decode(record, type=CheckpointRecord)
    counts = Counter(dict(zip(order, _numbers(checkpoint.before) or repeat(0), strict=False)))
    number = bisect_left(_numbers(checkpoint.days), day)
    counts.update(_numbers(checkpoint.tags, checkpoint.code)[: _numbers(checkpoint.tags_at)[number]])
    return counts


def _bytes(numbers: Iterable[int], code: str = "I") -> bytes:
    return _little_endian(array(code, numbers)).tobytes()


def _numbers(stored: bytes, code: str = "I") -> "array[int]":
    return _little_endian(array(code, stored))


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Convert between the machine's byte order and that of the tables; both ways are the same swap."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _tags(number: int, series: AllSeries) -> Sequence[int]:
    return series.tags[series.tags_at[number] : series.tags_at[number + 1]]
