"""How many series of an owner carry a tag: packed when the catalogue is loaded, unpacked for an answer.

A series overlaps a real-time period when it has begun by the period's end and has not ended before its start,
unless the period lies wholly in a gap between two of its versions. So the count of a tag is: series begun,
less series ended, less series with a gap around the period.

Begun and ended are two tales, told in chapters of so many series each. A chapter begins with the counts of
all that came before it: one chapter of each tale is read for an answer, however many series there are.
"""

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
# More would make an answer slower, fewer the tables larger.
SERIES_A_CHAPTER = 512


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


class Counts(msgspec.Struct, frozen=True, array_like=True):
    """Holds for every period that starts on the day `steady` or later: nothing begins or ends after it.

    The largest come first and ties go by name, which is the order that is asked for most.
    """

    tags: bytes
    counts: bytes
    steady: int


class History(msgspec.Struct, frozen=True, array_like=True):
    """What every past period needs: all tags that the owner ever had, in the order of names, and the gaps."""

    tags: bytes
    gaps: list[Gap]


class Chapter(msgspec.Struct, frozen=True, array_like=True):
    """Some series in the order of their days, and how many came before them for each tag of the history.

    The tags of its series n stand from place tags_at[n] to place tags_at[n + 1].
    """

    before: bytes
    days: bytes
    # As wide as they need be: to read half the bytes takes half the time.
    code: str
    tags: bytes
    tags_at: bytes


@dataclass(frozen=True)
class Packed:
    """The `Counts` and the `History` of an owner, and its chapters, each with its first day."""

    counts: bytes
    history: bytes
    begun: list[tuple[int, bytes]]
    ended: list[tuple[int, bytes]]


def packed(members: Iterable[int], series: Series) -> Packed:
    """From the numbers of an owner's series."""
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
        _bytes(largest), _bytes(now[tag] for tag in largest), _steady(members, leaving, gaps, series)
    )
    return Packed(
        msgspec.msgpack.encode(counts),
        msgspec.msgpack.encode(History(_bytes(order), gaps)),
        list(_chapters(members, series.first_day, series, order)),
        list(_chapters(leaving, series.last_day, series, order)),
    )


def _steady(members: Sequence[int], leaving: Sequence[int], gaps: Iterable[Gap], series: Series) -> int:
    """The first day from which on nothing begins or ends."""
    return max(
        [
            *(series.first_day[number] for number in members[-1:]),
            *(series.last_day[number] + 1 for number in leaving[-1:]),
            *(gap.last_day + 1 for gap in gaps),
        ],
        default=0,
    )


def _chapters(
    members: Sequence[int], day_of: Sequence[int], series: Series, order: list[int]
) -> Iterator[tuple[int, bytes]]:
    before: Counter[int] = Counter()
    for place in range(0, len(members), SERIES_A_CHAPTER):
        some = members[place : place + SERIES_A_CHAPTER]
        days = [day_of[number] for number in some]
        stretches = [_tags(number, series) for number in some]
        tags = array("H" if order[-1:] < [2**16] else "I", chain.from_iterable(stretches))
        at = _bytes(accumulate(map(len, stretches), initial=0))
        # The first one begins with nothing.
        counts = _bytes(map(before.__getitem__, order)) if place else b""
        yield (
            days[0],
            msgspec.msgpack.encode(Chapter(counts, _bytes(days), tags.typecode, tags.tobytes(), at)),
        )
        before.update(tags)


def steady_counts(record: bytes) -> tuple[int, dict[int, int]]:
    """Series for each tag, and the first day from which on that holds."""
    counts = msgspec.msgpack.decode(record, type=Counts)
    return counts.steady, dict(zip(array("I", counts.tags), array("I", counts.counts), strict=True))


def history(record: bytes) -> History:
    return msgspec.msgpack.decode(record, type=History)


def counts_in_period(
    past: History, begun: bytes | None, ended: bytes | None, first_day: int, last_day: int
) -> dict[int, int]:
    """From the chapters that tell of what began last by the period's end, and ended last before its start."""
    begun_of, ended_of = _told(past, begun, last_day + 1), _told(past, ended, first_day)
    # They differ in length only when a load came in between, and then the answer is thrown away.
    counts = dict(zip(begun_of, map(sub, begun_of.values(), ended_of.values()), strict=False))
    for gap in past.gaps:
        if gap.first_day <= first_day and last_day <= gap.last_day:
            for tag in gap.tags:
                counts[tag] -= 1
    return {tag: count for tag, count in counts.items() if count}


def _told(past: History, record: bytes | None, day: int) -> Mapping[int, int]:
    """Series for each tag before the day, in the order of the history's tags."""
    order = array("I", past.tags)
    if record is None:
        return dict.fromkeys(order, 0)
    chapter = msgspec.msgpack.decode(record, type=Chapter)
    told = Counter(dict(zip(order, array("I", chapter.before) or repeat(0), strict=False)))
    number = bisect_left(array("I", chapter.days), day)
    told.update(array(chapter.code, chapter.tags)[: array("I", chapter.tags_at)[number]])
    return told


def _bytes(numbers: Iterable[int]) -> bytes:
    return array("I", numbers).tobytes()


def _tags(number: int, series: Series) -> Sequence[int]:
    return series.tags[series.tags_at[number] : series.tags_at[number + 1]]
