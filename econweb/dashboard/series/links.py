"""Links out of a series page: pinned view, files, code, comparison, citations."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone

from econweb.dashboard.links import comparison_link, comparison_of_days, encode_query, series_link, url_path, with_query
from econweb.dashboard.realtime import pinned
from econweb.dashboard.series import citations
from econweb.dashboard.series.history import History
from econweb.dashboard.series.versions import find_earlier
from econweb.dashboard.sharing.pins import is_pinnable, name_of_pin
from econweb.dashboard.sharing.snippets import ServiceRequest, endpoint_url
from econweb.dashboard.sharing.view_links import Export, ViewLinks, file_links
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesPage


def series_links(query: SeriesQuery, page: SeriesPage) -> ViewLinks:
    path, words = url_path("series", query.series_id).rstrip("/"), query.link()
    fixed, has_past = pinned(query, page.reply.realtime_start, page.reply.realtime_end), is_pinnable(query)
    return ViewLinks(
        pinned="" if fixed == query or not has_past else series_link(fixed),
        export=Export(file_links(path, words)),
        code=with_query(f"{path}/code", words),
        citations={suffix: with_query(f"{path}.{suffix}", words) for suffix in citations.MEDIA_TYPES},
        name_of_pin=name_of_pin([fixed.realtime_end or timezone.localdate()]),
        current=series_link(SeriesQuery(query.series_id)),
        has_past=has_past,
    )


@dataclass(frozen=True)
class NextSteps:
    """Where a user goes on from a series: label and link of a comparison, and a list with the series in it."""

    compare_label: str
    compare: str
    add: str


def next_steps(query: SeriesQuery, history: History) -> NextSteps:
    today, series_id = timezone.localdate(), query.series_id
    add = with_query(url_path("series_list"), encode_query({"ids": series_id}))
    if query.realtime_end and query.realtime_end < today:
        return NextSteps("Compare with today", comparison_of_days(series_id, query.realtime_end, None), add)
    if earlier := find_earlier(history.seriess, today):
        compare = comparison_of_days(series_id, earlier.realtime_end, None)
        return NextSteps("Compare with an earlier date", compare, add)
    return NextSteps("Compare", comparison_link("series", series_id, None), add)


def series_request(request: HttpRequest, query: SeriesQuery) -> ServiceRequest:
    return ServiceRequest(endpoint_url(request, "series"), query.parameters())
