"""How many series of an owner carry a tag: packed when the catalogue is loaded, unpacked for an answer.

A series overlaps a real-time period when it has begun by the period's end and has not ended before its start,
unless the period lies wholly in a gap between two of its versions. So the count of a tag is: series begun,
less series ended, less series with a gap around the period. The first two are places in sorted lists.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate, chain, repeat
from operator import sub

import msgspec

LAST_DAY = date.max.toordinal()


@dataclass(frozen=True)
class Series:
    """Facts about all series of a catalogue, each at the series' number; days are ordinals."""

    first_day: Sequence[int]
    last_day: Sequence[int]
    # The few that have days without a version between their first and their last day.
    gaps: Mapping[int, Sequence[tuple[int, int]]]
    # The tags of series n stand from place tags_at[n] to place tags_at[n + 1].
    tags: Sequence[int]
    tags_at: Sequence[int]


class Gap(msgspec.Struct, frozen=True, array_like=True):
    """A series has no version from the first of these days to the last."""

    first_day: int
    last_day: int
    tags: list[int]


class Days(msgspec.Struct, frozen=True, array_like=True):
    """For each tag of an owner a stretch of sorted days; `at` says where it begins.

    The days are counted from `first`, because to read half the bytes takes half the time.
    """

    first: int
    code: str
    days: memoryview
    at: memoryview

    def before(self, day: int) -> list[int]:
        """How many days of each stretch are earlier."""
        days, at = self.days.cast(self.code), self.at.cast("I")  # type: ignore[call-overload]
        return list(map(sub, map(bisect_left, repeat(days), repeat(day - self.first), at, at[1:]), at))


class Counts(msgspec.Struct, frozen=True, array_like=True):
    """Holds for every period that starts on the day `steady` or later: nothing begins or ends after it.

    The largest come first and ties go by name, which is the order that is asked for most.
    """

    tags: bytes
    counts: bytes
    steady: int


class History(msgspec.Struct, frozen=True, array_like=True):
    """Gives the count of each tag for any period; here the tags are in the order of names."""

    tags: bytes
    begun: Days
    ended: Days
    gaps: list[Gap]


def packed(members: Sequence[int], series: Series) -> tuple[bytes, bytes]:
    """The `Counts` and the `History` of an owner, from the numbers of its series."""
    members = sorted(members, key=series.first_day.__getitem__)
    begun = _days_of_tags(members, series.first_day, series)
    leaving = [number for number in members if series.last_day[number] != LAST_DAY]
    ended = _days_of_tags(sorted(leaving, key=series.last_day.__getitem__), series.last_day, series)
    gaps = [
        Gap(first, last, list(_tags(number, series)))
        for number in members
        for first, last in series.gaps.get(number, ())
    ]
    order = sorted(begun)
    now = {tag: len(begun[tag]) - len(ended[tag]) for tag in order}
    largest = sorted(filter(now.__getitem__, order), key=now.__getitem__, reverse=True)
    steady = max(
        chain(
            [0],
            map(series.first_day.__getitem__, members),
            (series.last_day[number] + 1 for number in leaving),
            (gap.last_day + 1 for gap in gaps),
        )
    )
    counts = Counts(_bytes(largest), _bytes(now[tag] for tag in largest), steady)
    history = History(_bytes(order), _laid_out(begun, order), _laid_out(ended, order), gaps)
    return msgspec.msgpack.encode(counts), msgspec.msgpack.encode(history)


def steady_counts(record: bytes) -> tuple[int, dict[int, int]]:
    """Series for each tag, and the first day from which on that holds."""
    counts = msgspec.msgpack.decode(record, type=Counts)
    return counts.steady, dict(zip(array("I", counts.tags), array("I", counts.counts), strict=True))


def history(record: bytes) -> History:
    return msgspec.msgpack.decode(record, type=History)


def counts_in_period(past: History, first_day: int, last_day: int) -> dict[int, int]:
    counts = dict(
        zip(
            array("I", past.tags),
            map(sub, past.begun.before(last_day + 1), past.ended.before(first_day)),
            strict=True,
        )
    )
    for gap in past.gaps:
        if gap.first_day <= first_day and last_day <= gap.last_day:
            for tag in gap.tags:
                counts[tag] -= 1
    return {tag: count for tag, count in counts.items() if count}


def _bytes(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _tags(number: int, series: Series) -> Sequence[int]:
    return series.tags[series.tags_at[number] : series.tags_at[number + 1]]


def _days_of_tags(
    members: Sequence[int], day_of: Sequence[int], series: Series
) -> defaultdict[int, list[int]]:
    """The members come in the order of their days, so that each tag's list is sorted by itself."""
    days: defaultdict[int, list[int]] = defaultdict(list)
    for number in members:
        day = day_of[number]
        for tag in _tags(number, series):
            days[tag].append(day)
    return days


def _laid_out(days: Mapping[int, list[int]], order: Sequence[int]) -> Days:
    stretches = [days[tag] for tag in order]
    at = array("I", accumulate(map(len, stretches), initial=0))
    first = min((stretch[0] for stretch in stretches if stretch), default=0)
    span = max((stretch[-1] for stretch in stretches if stretch), default=0) - first
    # 179 years of days fit into two bytes.
    laid_out = array("H" if span < 2**16 else "I", map(sub, chain.from_iterable(stretches), repeat(first)))
    return Days(first, laid_out.typecode, memoryview(laid_out.tobytes()), memoryview(at.tobytes()))
