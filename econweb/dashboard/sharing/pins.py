"""Pinned links, which show a view as of fixed dates: whether one is possible, and its name."""

from collections.abc import Collection
from datetime import date, timedelta

from django.conf import settings
from django.utils import timezone

from econweb.upstream import service
from econweb.upstream.queries import SeriesQuery


def is_pinnable(query: SeriesQuery) -> bool:
    """Return whether a link with real-time dates can show this series: the service may refuse its past."""
    is_past = query.realtime_end is not None and query.realtime_end < timezone.localdate()
    return is_past or not service.is_past_refused(query.series_id)


def name_of_pin(days: Collection[date]) -> str:
    """Return what a pinned link is fixed at; the reply may be as of an earlier day than today."""
    return f"fixed at {next(iter(days))}" if len(set(days)) == 1 else "fixed at these dates"


def note_on_open_day(days: Collection[date]) -> str:
    """Return the caveat of a link or citation that is fixed at a day which may not be over; empty for earlier days."""
    # Another service may be in a zone whose day ends after ours. The embedded one has the day of this site.
    first_open = timezone.localdate() - timedelta(days=1 if settings.ECON_BASE_URL else 0)
    last = max(days, default=date.min)
    return f"Can be revised until {last} is over." if last >= first_open else ""
