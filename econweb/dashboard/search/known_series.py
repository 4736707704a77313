"""What this site knows about a series id before its page is opened."""

from typing import NamedTuple

from django.conf import settings

from econweb.upstream import service
from econweb.upstream.errors import NotFound, UpstreamError
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesPage


class KnownSeries(NamedTuple):
    """Whether the series exists, or None where only a request could tell; and its title."""

    exists: bool | None
    title: str = ""


def look_up(series_id: str) -> KnownSeries:
    """Ask the embedded service, which costs about a millisecond; of another one, read the cache alone."""
    query = SeriesQuery(series_id.upper())
    if page := service.cached_series(query):
        return _describe(page)
    if service.missing_reason(query):
        return KnownSeries(False)
    if settings.ECON_BASE_URL:
        return KnownSeries(None)
    try:
        return _describe(service.series(query))
    except NotFound:
        return KnownSeries(False)
    except UpstreamError:
        return KnownSeries(None)


def _describe(page: SeriesPage) -> KnownSeries:
    found = page.reply.seriess
    return KnownSeries(True, found[-1].title if found else "")
