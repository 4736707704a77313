"""What is read for an answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial

from econweb.catalogue.counts import History, counts_in_period, history, steady_counts
from econweb.catalogue.editions import HeldEdition
from econweb.catalogue.models import Chapter, Owner, SeriesVersion
from econweb.catalogue.parameters import BadRequest, Period, SeriesParameters, TagParameters

# Spec 2.2, in its order.
_FIELDS = [field.name for field in SeriesVersion._meta.concrete_fields if not field.primary_key]
# Where nothing begins or ends any more, every period has the same answer, and this one stands for them.
_STEADY = Period(date.max, date.max)
Found = tuple[Mapping[int, int], Sequence[int]]


@dataclass(frozen=True)
class TagRows:
    """How many tags match, and those of the page that was asked for, each with its `series_count`."""

    count: int
    page: list[tuple[int, int]]


def versions(asked: SeriesParameters) -> list[dict[str, object]]:
    """Every version that overlaps the period, clipped to it, oldest first; spec 2.2 as key and value."""
    every = SeriesVersion.objects.filter(series_id=asked.series_id)
    overlapping = every.filter(realtime_start__lte=asked.period.end, realtime_end__gte=asked.period.start)
    found = list(overlapping.order_by("realtime_start").values(*_FIELDS))
    if not found and not every.exists():
        raise BadRequest("The series does not exist.")
    for version in found:
        version["realtime_start"] = max(version["realtime_start"], asked.period.start)
        version["realtime_end"] = min(version["realtime_end"], asked.period.end)
    return [_as_record(version) for version in found]


def tags(edition: HeldEdition, kind: str, number: int, asked: TagParameters) -> TagRows:
    """Spec 4.5; ties go by name, in both directions."""
    steady, _ = _steady_counts(edition.identity, kind, number)
    period = asked.period if asked.period.start.toordinal() < steady else _STEADY
    every_page = replace(asked, period=period, limit=0, offset=0)
    count_of, found = _lately(edition).found(kind, number, every_page)
    page = found[asked.offset : asked.offset + asked.limit]
    return TagRows(len(found), list(zip(page, map(count_of.__getitem__, page), strict=True)))


class _Lately:
    """What was worked out for the last questions: clients ask for page after page, and often for the same."""

    def __init__(self, edition: HeldEdition) -> None:
        # Words find the same tags whoever owns them.
        self.having = lru_cache(maxsize=16)(edition.words.find)
        self.found = lru_cache(maxsize=16)(partial(_found, edition))


@lru_cache(maxsize=1)
def _lately(edition: HeldEdition) -> _Lately:
    """Goes with its edition."""
    return _Lately(edition)


def _found(edition: HeldEdition, kind: str, number: int, asked: TagParameters) -> Found:
    """How many series each tag of the owner has, and all tags that match, in the order that was asked for."""
    count_of = _counts(edition, kind, number, asked.period)
    if asked.order_by == "series_count":
        # A stable sort, also when reversed: what is equal stays in the order of names.
        matching = _matching(edition, asked, count_of)
        return count_of, sorted(matching, key=count_of.__getitem__, reverse=asked.sort_order == "desc")
    order = edition.orders[asked.order_by, asked.sort_order]
    return count_of, list(_matching(edition, asked, filter(count_of.__contains__, order)))


def _counts(edition: HeldEdition, kind: str, number: int, period: Period) -> Mapping[int, int]:
    """Equal ones in the order of names."""
    first_day, last_day = period.start.toordinal(), period.end.toordinal()
    steady, counts = _steady_counts(edition.identity, kind, number)
    if first_day >= steady:
        return counts
    past = _history(edition.identity, kind, number)
    begun = _chapter(kind, number, "begun", last_day + 1)
    ended = _chapter(kind, number, "ended", first_day)
    return counts_in_period(past, begun, ended, first_day, last_day)


@lru_cache(maxsize=16)
def _steady_counts(_identity: str, kind: str, number: int) -> tuple[int, Mapping[int, int]]:
    """A client asks for one page of an owner after the other. No two loads have the same identity."""
    return steady_counts(_record("counts", kind, number))


@lru_cache(maxsize=16)
def _history(_identity: str, kind: str, number: int) -> History:
    return history(_record("history", kind, number))


def _chapter(kind: str, number: int, tale: str, day: int) -> bytes | None:
    """The last one that begins before the day."""
    told = Chapter.objects.filter(kind=kind, number=number, tale=tale, first_day__lt=day)
    series = told.order_by("-first_day", "-place").values_list("series", flat=True).first()
    return None if series is None else bytes(series)


def _record(column: str, kind: str, number: int) -> bytes:
    record = Owner.objects.filter(kind=kind, number=number).values_list(column, flat=True).first()
    if record is None:
        raise BadRequest(f"The {kind} does not exist.")
    return bytes(record)


def _matching(edition: HeldEdition, asked: TagParameters, found: Iterable[int]) -> Iterable[int]:
    if asked.tag_names is not None:
        wanted = {edition.number_of[name] for name in asked.tag_names & edition.number_of.keys()}
        found = filter(wanted.__contains__, found)
    if asked.tag_group_id is not None:
        found = filter(edition.in_group.get(asked.tag_group_id, frozenset()).__contains__, found)
    if asked.search_text is not None:
        found = filter(_lately(edition).having(asked.search_text).__contains__, found)
    return found


def _as_record(version: dict[str, object]) -> dict[str, object]:
    record = {"id": version.pop("series_id")} | version
    if record["notes"] is None:
        del record["notes"]
    return record
