"""Database queries of the API's answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial

from django.db import connection

from econweb.catalogue.answers.snapshot import CatalogueSnapshot
from econweb.catalogue.counts import History, counts_in_period, decode_history, decode_steady_counts
from econweb.catalogue.models import Checkpoint, Owner, SeriesVersion
from econweb.catalogue.parameters import BadRequest, Period, SeriesParameters, TagParameters

# The fields of `Series` in the contract, in its order.
_FIELDS = [field.name for field in SeriesVersion._meta.concrete_fields if not field.primary_key]
# From the steady day on every period has the same answer; this period is the cache key for all of them.
_STEADY = Period(date.max, date.max)
# Category 0 is the parent of all others, and has no series and no row.
ROOT_CATEGORY = ("category", 0)
CountedTags = tuple[Mapping[int, int], Sequence[int]]


@dataclass(frozen=True)
class TagRows:
    """The number of matching tags, and the tags of the requested page, each with its `series_count`."""

    count: int
    page: list[tuple[int, int]]


def versions(requested: SeriesParameters) -> list[dict[str, object]]:
    """Return the versions that overlap the period, clipped to it, oldest first."""
    every = SeriesVersion.objects.filter(series_id=requested.series_id)
    overlapping = every.filter(realtime_start__lte=requested.period.end, realtime_end__gte=requested.period.start)
    found = list(overlapping.order_by("realtime_start").values(*_FIELDS))
    if not found and not every.exists():
        raise BadRequest("The series does not exist.")
    for version in found:
        version["realtime_start"] = max(version["realtime_start"], requested.period.start)
        version["realtime_end"] = min(version["realtime_end"], requested.period.end)
    return [_as_record(version) for version in found]


def tags(snapshot: CatalogueSnapshot, kind: str, number: int, requested: TagParameters) -> TagRows:
    """Return one page of an owner's tags; ties go by name, in both directions."""
    steady, _ = _steady_counts(snapshot.identity, kind, number)
    period = requested.period if requested.period.start.toordinal() < steady else _STEADY
    every_page = replace(requested, period=period, limit=0, offset=0)
    count_of, found = _recent_results(snapshot).find_tags(kind, number, every_page)
    page = found[requested.offset : requested.offset + requested.limit]
    return TagRows(len(found), list(zip(page, map(count_of.__getitem__, page), strict=True)))


class RecentResults:
    """Cached results of one snapshot: clients request page after page of the same tags."""

    def __init__(self, snapshot: CatalogueSnapshot) -> None:
        # The tags that match a text do not depend on the owner.
        self.search = lru_cache(maxsize=16)(snapshot.words.find)
        self.find_tags = lru_cache(maxsize=16)(partial(_find_tags, snapshot))


@lru_cache(maxsize=1)
def _recent_results(snapshot: CatalogueSnapshot) -> RecentResults:
    """Return the cache of this snapshot; a newer snapshot evicts it."""
    return RecentResults(snapshot)


def _find_tags(snapshot: CatalogueSnapshot, kind: str, number: int, requested: TagParameters) -> CountedTags:
    """Return the count of each tag of the owner, and the matching tags in the requested order."""
    count_of = count_tags(snapshot, kind, number, requested.period)
    if requested.order_by == "series_count":
        # The sort is stable, also when reversed: ties stay in the order of names.
        matching = _filter(snapshot, requested, count_of)
        return count_of, sorted(matching, key=count_of.__getitem__, reverse=requested.sort_order == "desc")
    order = snapshot.orders[requested.order_by, requested.sort_order]
    return count_of, list(_filter(snapshot, requested, filter(count_of.__contains__, order)))


def count_tags(snapshot: CatalogueSnapshot, kind: str, number: int, period: Period) -> Mapping[int, int]:
    """Return the count of each tag of the owner, in an order that leaves equal ones by name."""
    first_day, last_day = period.start.toordinal(), period.end.toordinal()
    steady, counts = _steady_counts(snapshot.identity, kind, number)
    if first_day >= steady:
        return counts
    past = _history(snapshot.identity, kind, number)
    started = _find_checkpoint(kind, number, "begun", last_day + 1)
    ended = _find_checkpoint(kind, number, "ended", first_day)
    return counts_in_period(past, started, ended, first_day, last_day)


@lru_cache(maxsize=16)
def _steady_counts(_identity: str, kind: str, number: int) -> tuple[int, Mapping[int, int]]:
    """Return the decoded counts of an owner. The identity is part of the key, since each load has its own."""
    record = _find_record("counts", kind, number)
    if record is None and (kind, number) == ROOT_CATEGORY:
        return 0, {}
    return decode_steady_counts(_required(record, kind))


@lru_cache(maxsize=16)
def _history(_identity: str, kind: str, number: int) -> History:
    return decode_history(_required(_find_record("history", kind, number), kind))


def _find_checkpoint(kind: str, number: int, event: str, day: int) -> bytes | None:
    """Return the last checkpoint that begins before the day."""
    earlier = Checkpoint.objects.filter(kind=kind, number=number, event=event, first_day__lt=day)
    series = earlier.order_by("-first_day", "-place").values_list("series", flat=True).first()
    return None if series is None else bytes(series)


def _find_record(column: str, kind: str, number: int) -> bytes | None:
    """Return a record of an owner; the ORM takes four times as long."""
    with connection.cursor() as cursor:
        statement = f"SELECT {column} FROM {Owner._meta.db_table} WHERE kind = %s AND number = %s"  # noqa: S608
        cursor.execute(statement, [kind, number])
        found = cursor.fetchone()
    return found[0] if found else None


def _required(record: bytes | None, kind: str) -> bytes:
    if record is None:
        raise BadRequest(f"The {kind} does not exist.")
    return bytes(record)


def _filter(snapshot: CatalogueSnapshot, requested: TagParameters, found: Iterable[int]) -> Iterable[int]:
    if requested.tag_names is not None:
        wanted = {snapshot.number_of[name] for name in requested.tag_names & snapshot.number_of.keys()}
        found = filter(wanted.__contains__, found)
    if requested.tag_group_id is not None:
        found = filter(snapshot.in_group.get(requested.tag_group_id, frozenset()).__contains__, found)
    if requested.search_text is not None:
        found = filter(_recent_results(snapshot).search(requested.search_text).__contains__, found)
    return found


def _as_record(version: dict[str, object]) -> dict[str, object]:
    record = {"id": version.pop("series_id")} | version
    if record["notes"] is None:
        del record["notes"]
    return record
