"""Pinned links, which keep showing a view as of its dates: whether one is possible, and its name."""

from collections.abc import Collection
from datetime import date

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
