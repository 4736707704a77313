"""The records of the contract, and the results that pages get."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Annotated, NamedTuple, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import fields

_STAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}\Z"
# `YYYY-MM-DD HH:MM:SS` and an offset of two digits; a text, because it is shown as given.
Timestamp = Annotated[str, Meta(pattern=_STAMP)]


def parse_timestamp(stamp: Timestamp) -> float:
    """Return seconds since 1970, since offsets differ; an impossible time sorts before all others."""
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError):
        return float("-inf")


# A number that every database and browser represents exactly.
Integer = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Series(Struct, frozen=True):
    """A series; an id has one record for each version of its description."""

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


def is_discontinued(title: str) -> bool:
    """Read it from the title: the service has no field for it."""
    return "(DISCONTINUED)" in title.upper()


class SeriesFailure(NamedTuple):
    """The reason why a series cannot be loaded. After a temporary failure, the series may still exist."""

    message: str
    is_temporary: bool
    # True if the service says itself that it has no such record.
    is_explicit: bool = False


NO_FAILURE = SeriesFailure("", is_temporary=False)


class SeriesReply(Struct, frozen=True):
    """The reply to a request for a series."""

    realtime_start: date
    realtime_end: date
    seriess: tuple[Series, ...]


class Tag(Struct, frozen=True):
    """A tag; any text is a valid group, and the notes may be null."""

    name: Annotated[str, Meta(min_length=1)]
    group_id: str
    created: Timestamp
    popularity: Integer
    series_count: Annotated[int, Meta(ge=0, le=2**53)]
    notes: str | None = None


class TagsReply(Struct, frozen=True):
    """A page of tags; the echo of the request may be missing, because nothing depends on it."""

    realtime_start: date
    realtime_end: date
    tags: tuple[Tag, ...]
    order_by: str | None = None
    sort_order: str | None = None
    count: Integer | None = None
    offset: Integer | None = None
    limit: Integer | None = None


class FetchedTags(Struct, frozen=True, array_like=True):
    """The complete tags of a category or release, as they are stored in the cache."""

    realtime_start: date
    realtime_end: date
    tags: tuple[Tag, ...]
    series: int | None
    warnings: tuple[str, ...]
    # True if the service may have more tags.
    is_truncated: bool
    # The service's echo of the first request that it changed, or else of the last request.
    requested: dict[str, str]
    echoed: dict[str, str]

    def differences(self) -> Iterator[str]:
        for name, echo in self.echoed.items():
            if echo != self.requested[name]:
                yield f"The data provider was asked for {name} {self.requested[name]} and says that it applied {echo}."


def total_series(counts: Sequence[tuple[str, int]]) -> int | None:
    """Return the number of series from the group and count of each tag, or None if the counts do not agree.

    Each series has one frequency and one seasonal adjustment, so both groups add up to it, and no tag has more.
    """
    sums = [sum(count for own, count in counts if own == group) for group in ("freq", "seas")]
    largest = max((count for _, count in counts), default=0)
    return largest if sums == [largest, largest] else None


RECORDS = (Series, SeriesReply, Tag, TagsReply)
Reply = TypeVar("Reply", bound=Struct)


def schema_digest(*structs: type[Struct]) -> str:
    """Return a digest of all names, types and defaults of the fields, in their order."""
    shapes = [(struct.__name__, [(f.name, str(f.type), repr(f.default)) for f in fields(struct)]) for struct in structs]
    return hashlib.blake2b(repr(shapes).encode(), digest_size=6).hexdigest()


# Part of the key of each answer in a cache, so that no version of the program reads records of another shape.
SCHEMA_VERSION = schema_digest(*RECORDS, FetchedTags)


class Freshness(Struct, frozen=True):
    """The age of an answer."""

    fetched: datetime
    is_stale: bool = False
    # Why a stale answer could not be refreshed, as a message for users.
    error: str = ""


class TagCounts(Struct, frozen=True):
    """The tags and series of a category or release when it was read; None where counts do not agree."""

    tags: int
    series: int | None
    fetched: datetime


class SeriesPage(Struct, frozen=True):
    """The result of a request for a series."""

    reply: SeriesReply
    freshness: Freshness


class TagPage(Struct, frozen=True):
    """One view of the tags of a category or release, computed from the complete set."""

    # The rows of this page, and all rows of the view, both in the requested order.
    tags: tuple[Tag, ...]
    matches: tuple[Tag, ...]
    # The number of matching tags, and of all tags that match search_text.
    count: int
    total: int
    # The number of tags of every group under the other filters; known groups come first.
    group_counts: dict[str, int]
    # The same with no filter except search_text.
    all_group_counts: dict[str, int]
    # The number of series of the category or release; None if the service's numbers do not agree on it.
    series: int | None
    # The value of a full bar: `series`, or the largest count of the set.
    most_series: int
    # All names of the set in alphabetical order.
    names: tuple[str, ...]
    # All tags of the set, in the same order.
    all_tags: tuple[Tag, ...]
    # The real-time period that the service says it applied.
    realtime_start: date
    realtime_end: date
    # Messages for users: where the reply differs from the request, and whether tags are missing.
    warnings: tuple[str, ...]
    # True if the service may have more tags.
    is_truncated: bool
    # True also if the replies that make up the set do not agree with each other.
    is_doubtful: bool
    freshness: Freshness
    # Identity of the complete set: the same object for all pages of one fetch; weak references to it work.
    tag_set: object

    @property
    def has_contradicting_counts(self) -> bool:
        """Return whether the complete tags do not agree on the number of series."""
        return self.series is None and bool(self.all_tags) and not self.is_truncated
