"""Frozen copies of a series and of a series list, with their files."""

from dataclasses import dataclass, replace

from django.http import QueryDict
from django.http.response import HttpResponseBase

from econweb.dashboard.error_pages import problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.frozen.landing import Landing
from econweb.dashboard.frozen.selection import asked_day, note_on_popularity
from econweb.dashboard.page_links import split_link, with_query
from econweb.dashboard.series.sheet import series_sheet
from econweb.dashboard.series.span import draw_span
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.loading import ListEntry, SeriesList, sort_entries
from econweb.dashboard.series_list.query import SeriesListQuery
from econweb.dashboard.series_list.sheet import series_list_sheet
from econweb.dashboard.series_list.table import Table
from econweb.dashboard.sharing.view_links import Export, ViewLinks, file_links, render_with_links
from econweb.library.copies import BrokenBody
from econweb.library.models import FrozenCopy
from econweb.upstream.records import Freshness, Series, SeriesFailure, SeriesPage, SeriesReply


@dataclass(frozen=True)
class FrozenListQuery(SeriesListQuery):
    """The columns and the order of a copy, whose ids never change."""

    path: str = ""

    def query_string(self) -> str:
        given = QueryDict(super().query_string(), mutable=True)
        del given["ids"]
        return given.urlencode(safe=",:@")

    def link(self) -> str:
        return with_query(self.path, self.query_string())


def read_named_series(landing: Landing) -> tuple[Series, ...]:
    """Return the series of a copy, or raise BrokenBody if its target names others."""
    records = landing.series
    if not records or not {series.id for series in records} <= set(ids_of(landing.copy.target)):
        raise BrokenBody("Its target names other series than its content.")
    return records


def ids_of(target: str) -> list[str]:
    """Return the ids that the canonical link of a series or a list names, in its order."""
    path, given = split_link(target)
    listed = given.get("ids")
    return listed.split(",") if listed else [path.strip("/").rpartition("/")[2]]


def series_page(copy: FrozenCopy, records: tuple[Series, ...]) -> SeriesPage:
    return SeriesPage(SeriesReply(copy.realtime_start, copy.realtime_end, records), Freshness(copy.fetched))


def show_series(landing: Landing, suffix: str) -> HttpResponseBase:
    request, path = landing.request, landing.path
    if suffix := suffix or wanted_format(request):
        return export_response(request, sheet_of_series(landing, path, suffix), suffix)
    found = series_page(landing.copy, read_named_series(landing))
    newest = found.reply.seriess[-1]
    context = {
        **landing.context(),
        "subject": f"series {newest.id}",
        "newest": newest,
        "span": draw_span(newest),
        "coverage_note": landing.coverage_note,
        "older": found.reply.seriess[-2::-1],
        "canonical": path,
    }
    return render_with_links(request, "frozen/series", context, _links(path, "", 0), steps={})


def show_list(landing: Landing, suffix: str) -> HttpResponseBase:
    request, copy = landing.request, landing.copy
    given = copy.parameters.copy()
    for name in ("columns", "order_by", "sort_order"):
        if name in request.GET:
            given.setlist(name, request.GET.getlist(name))
    form = SeriesListForm(given)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = FrozenListQuery(**form.cleaned_data, path=landing.path)
    if suffix := suffix or wanted_format(request):
        return export_response(request, sheet_of_list(landing, query, suffix), suffix)
    results = SeriesList(query, sort_entries(query, _entries(landing)))
    context = {
        **landing.context(),
        "subject": "a series list",
        "results": results,
        "table": Table(results),
        "last_day": copy.realtime_end,
        "coverage_note": landing.coverage_note,
        "canonical": query.link(),
    }
    links = _links(query.path, query.query_string(), len(results.found))
    return render_with_links(request, "frozen/series_list", context, links, steps={})


def sheet_of_series(landing: Landing, path: str, suffix: str) -> Sheet:
    page = series_page(landing.copy, read_named_series(landing))
    sheet = series_sheet(page, landing.request.build_absolute_uri(path), asked_day(landing.copy), suffix)
    return _describe(sheet, landing)


def sheet_of_list(landing: Landing, query: FrozenListQuery, suffix: str) -> Sheet:
    results = SeriesList(query, sort_entries(query, _entries(landing)))
    link, warnings = landing.request.build_absolute_uri(query.link()), landing.copy.warnings.splitlines()
    sheet = series_list_sheet(results, link, suffix, warnings=warnings)
    return _describe(sheet, landing)


def note_of(landing: Landing) -> str:
    """Return the note of a copy of a past day."""
    return f"{landing.coverage_note} {note_on_popularity(landing.copy)}".strip()


def _describe(sheet: Sheet, landing: Landing) -> Sheet:
    # Files of a copy never change, so the note keeps its words.
    note = {"note": note_of(landing)} if "note" in sheet.metadata else {}
    return replace(sheet, metadata={**sheet.metadata, **note, "service": landing.service_name})


def _entries(landing: Landing) -> list[ListEntry]:
    """Return the series of the copy in the order of its list, and the reasons for those that it lacks."""
    copy = landing.copy
    found = {series.id: ListEntry(series.id, series_page(copy, (series,))) for series in read_named_series(landing)}
    for line in copy.missing.splitlines():
        series_id, _, message = line.partition(": ")
        found[series_id] = ListEntry(series_id, failure=SeriesFailure(message, is_temporary=False))
    return [found[series_id] for series_id in ids_of(copy.target) if series_id in found]


def _links(path: str, query_string: str, rows: int) -> ViewLinks:
    export = Export(file_links(path.rstrip("/"), query_string), rows, pack=f"{path.rstrip('/')}.zip")
    return ViewLinks(export, has_past=False, is_live=False)
