"""The records of the contract (spec 2) as they come out of a reply, and what a page gets of them."""

from datetime import date, datetime
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

_STAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}\Z"
# `YYYY-MM-DD HH:MM:SS` and an offset of two digits; kept as text, because it is shown as given.
Timestamp = Annotated[str, Meta(pattern=_STAMP)]


def moment(stamp: Timestamp) -> float:
    """Offsets change with daylight saving; a stamp that is no moment at all comes before all others."""
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError):
        return float("-inf")


# A number that no database and no browser has to round.
Integer = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Series(Struct, frozen=True):
    """Spec 2.2; one id may have several, one for each version of its description."""

    id: str
    realtime_start: date
    realtime_end: date
    title: str
    observation_start: date
    observation_end: date
    frequency: str
    frequency_short: str
    units: str
    units_short: str
    seasonal_adjustment: str
    seasonal_adjustment_short: str
    last_updated: Timestamp
    popularity: Integer
    notes: str | None = None


class SeriesReply(Struct, frozen=True):
    """Spec 2.1."""

    realtime_start: date
    realtime_end: date
    seriess: tuple[Series, ...]


class Tag(Struct, frozen=True):
    """Spec 2.4; the group is any word, and services of this kind send null notes for some tags."""

    name: Annotated[str, Meta(min_length=1)]
    group_id: str
    created: Timestamp
    popularity: Integer
    series_count: Annotated[int, Meta(ge=0, le=2**53)]
    notes: str | None = None


class TagsReply(Struct, frozen=True):
    """Spec 2.3; what echoes the question may be absent, since nothing that is shown rests on it."""

    realtime_start: date
    realtime_end: date
    tags: tuple[Tag, ...]
    order_by: str | None = None
    sort_order: str | None = None
    count: Integer | None = None
    offset: Integer | None = None
    limit: Integer | None = None


RECORDS = (Series, SeriesReply, Tag, TagsReply)
Reply = TypeVar("Reply", bound=Struct)


class Kept(Struct, frozen=True):
    """How old an answer is."""

    fetched: datetime
    # Older than it should be; `trouble` says in words why there is no newer one, if that was tried.
    stale: bool = False
    trouble: str = ""


class SeriesPage(Struct, frozen=True):
    """What a page about a series shows."""

    reply: SeriesReply
    kept: Kept


class TagPage(Struct, frozen=True):
    """What a page about the tags of a category or of a release shows; all of it from one complete set."""

    # The rows of this page, and all rows of the view; both in the order that was asked for.
    tags: tuple[Tag, ...]
    matches: tuple[Tag, ...]
    # How many tags match, and how many there are without any filter but search_text.
    count: int
    all: int
    # Every group of the set, the known ones first, with its tags under the other filters.
    group_counts: dict[str, int]
    # The same without any filter but search_text.
    all_group_counts: dict[str, int]
    # How many series there are in all; None where the service's own numbers do not agree on it.
    series: int | None
    # What a full bar stands for: all of them, or the largest count of the set.
    most_series: int
    # Every name in the set, in the order of the alphabet.
    names: tuple[str, ...]
    # The real-time period that the service says it applied.
    realtime_start: date
    realtime_end: date
    # Where the service's answer differs from what was asked, in words; and that it has more than was read.
    warnings: tuple[str, ...]
    cut: bool
    kept: Kept
    # What readers make of the set, for as long as this process has it.
    beside: dict[object, Any]
