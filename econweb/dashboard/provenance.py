"""Where a view comes from and how old it is, in the words that every file carries."""

from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.utils import timezone

from econweb.dashboard.addresses import path_of
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Kept

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Query = TypeVar("Query", bound="DataclassInstance")


def as_of(start: date, end: date) -> str:
    return str(end) if start == end else f"{start} to {end}"


def today() -> date:
    """The day of the zone that the settings name, which is the embedded service's own."""
    return datetime.now(timezone.get_default_timezone()).date()


def closed(start: date, end: date) -> date:
    """The end of a period that does not move: an open one ends today."""
    return min(end, max(start, today()))


def fixed_period(start: date, end: date) -> dict[str, date]:
    """What a link says so that it shows the same next year."""
    return {"realtime_start": start, "realtime_end": closed(start, end)}


def pinned(query: Query, start: date, end: date) -> Query:
    """The same view with its real-time dates written in."""
    return replace(query, **fixed_period(start, end))


def series_link(query: SeriesQuery) -> str:
    return with_words(path_of("series", query.series_id), query.link())


def with_words(path: str, words: str) -> str:
    return f"{path}?{words}" if words else path


def stamp(moment: datetime) -> str:
    """A moment of UTC."""
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def provenance(link: str, start: date, end: date, kept: Kept) -> dict[str, str]:
    age = f"yes. {kept.trouble}".strip() if kept.stale else "no"
    return {
        "source": link,
        "service": settings.ECON_BASE_URL or "the embedded catalogue",
        "as of": as_of(start, end),
        "fetched": stamp(kept.fetched),
        "stale": age,
    }
