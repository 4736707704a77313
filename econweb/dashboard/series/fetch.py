"""Fetch the record of a series for a page."""

from econweb.dashboard.error_texts.messages import NO_DESCRIPTION, NO_RECORD_TODAY
from econweb.upstream import service
from econweb.upstream.errors import NotInPeriod
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesPage


def fetch_series(query: SeriesQuery) -> SeriesPage:
    page = service.series(query)
    if not page.reply.seriess:
        message = NO_DESCRIPTION if query.realtime_start or query.realtime_end else NO_RECORD_TODAY
        raise NotInPeriod(message.format(series_id=query.series_id))
    return page
