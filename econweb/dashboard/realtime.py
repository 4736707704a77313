"""Real-time periods: their text, and the dates that pin a view."""

from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils import timezone

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Query = TypeVar("Query", bound="DataclassInstance")


def as_of(start: date, end: date) -> str:
    return str(end) if start == end else f"{start} to {end}"


def end_or_today(start: date, end: date) -> date:
    """Return the end of the period, or today where it is open."""
    # Most replies are of one day.
    return end if start >= end else min(end, max(start, timezone.localdate()))


def is_past(asked: date | None, fetched: datetime) -> bool:
    """Return whether a view was asked for a day before that of its answer."""
    return asked is not None and asked < timezone.localdate(fetched)


def pin_period(query: Any, start: date, end: date) -> dict[str, Any]:
    """Return the dates for a pinned link: those of the query, with the last day of the reply where the end is open.

    Without dates, both are that day. A period without a first day stays without one, and is pinned by its end.
    """
    last, is_dated = end_or_today(start, end), query.realtime_start or query.realtime_end
    return {"realtime_start": query.realtime_start if is_dated else last, "realtime_end": last}


def pin(query: Query, start: date, end: date) -> Query:
    """Return the same view with its real-time dates written in."""
    return replace(query, **pin_period(query, start, end))
