"""Links that share a series: pinned view, files, code and citations."""

from django.http import HttpRequest
from django.utils import timezone

from econweb.dashboard.page_links import series_link, url_path, with_query
from econweb.dashboard.realtime import pin
from econweb.dashboard.sharing.citations import citation_files
from econweb.dashboard.sharing.pins import is_pinnable, name_of_pin, note_on_open_day
from econweb.dashboard.sharing.snippets import ServiceRequest, endpoint_url
from econweb.dashboard.sharing.view_links import Export, ViewLinks, feed_link, file_links, timemap_link
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesPage


def series_links(query: SeriesQuery, page: SeriesPage) -> ViewLinks:
    path, query_string = url_path("series", query.series_id).rstrip("/"), query.query_string()
    fixed, has_past = pin(query, page.reply.realtime_start, page.reply.realtime_end), is_pinnable(query)
    last = fixed.realtime_end or timezone.localdate()
    return ViewLinks(
        pinned="" if fixed == query or not has_past else series_link(fixed),
        export=Export(file_links(path, query_string)),
        code=with_query(f"{path}/code", query_string),
        citations=citation_files(path, query_string),
        name_of_pin=name_of_pin([last]),
        day_note=note_on_open_day([last]) if has_past else "",
        current=series_link(SeriesQuery(query.series_id)),
        has_past=has_past,
        timemap=timemap_link(series_link(query)),
        feed=feed_link(f"series:{query.series_id}"),
    )


def series_request(request: HttpRequest, query: SeriesQuery, service: str) -> ServiceRequest:
    return ServiceRequest(endpoint_url(request, "series", service), query.service_parameters())
