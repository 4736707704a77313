"""The page and files of a series list: parsed from pasted text, loaded within the rate limit, checked."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from econweb.dashboard.display.fields import field_label
from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.error_texts.messages import NO_SERIES_FOUND, SERIES_STILL_LOADING
from econweb.dashboard.files.negotiation import is_file, wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.page_links import MAX_LINK, url_path
from econweb.dashboard.realtime import as_of, end_or_today, pin
from econweb.dashboard.redirects import canonical_redirect, short_link
from econweb.dashboard.rendering.pages import RELOAD_SECONDS, htmx_of, render_page
from econweb.dashboard.series_list.checks import find_oddities, find_relatives, summarise_oddities
from econweb.dashboard.series_list.forms import (
    EMPTY_BOX,
    NO_IDS,
    SeriesListForm,
    build_ids_context,
)
from econweb.dashboard.series_list.loading import SeriesList, load_list
from econweb.dashboard.series_list.missing import find_missing
from econweb.dashboard.series_list.query import COLUMN_CHOICES, DEFAULT_COLUMNS
from econweb.dashboard.series_list.sheet import series_list_sheet
from econweb.dashboard.series_list.table import Table
from econweb.dashboard.sharing.pins import name_of_pin, note_on_open_day
from econweb.dashboard.sharing.view_links import Export, ViewLinks, file_links, render_with_links, timemap_link
from econweb.upstream.errors import Busy, NotFound, Unavailable, WrongValue


@require_safe
@upstream_problems.render_upstream_errors
def series_list(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = SeriesListForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form, "series_list/_form.html", **_build_form_context(form))
    query = form.query()
    if not query.ids and ("ids" in request.GET or is_file(request)):
        form.add_error("ids", EMPTY_BOX)
        # The link without empty fields would be the page before the form was sent.
        problem = problems.build_problem("invalid_field", message=NO_IDS if is_file(request) else EMPTY_BOX)
        return problems.error_page(request, problem, filled="series_list/_form.html", **_build_form_context(form))
    # The canonical link has no word that is no id and no id twice, and the page names them.
    if better := (form.remarks and short_link(request)) or canonical_redirect(request, query.link()):
        return redirect(better)
    try:
        results = load_list(query)
    except WrongValue as error:
        upstream_problems.add_refusal(form, error)
        return problems.bad_parameters(request, form, "series_list/_form.html", **_build_form_context(form))
    file_format = suffix or wanted_format(request)
    if file_format:
        return _render_file(request, results, file_format, form)
    return _render_page(request, form, results)


def _render_file(request: HttpRequest, results: SeriesList, suffix: str, form: SeriesListForm) -> HttpResponseBase:
    require_all(results)
    link = request.build_absolute_uri(results.query.link())
    sheet = series_list_sheet(results, link, suffix, form.refused, form.remarks_on_ids)
    return export_response(request, sheet, suffix)


def require_all(results: SeriesList) -> None:
    """Raise an error of the service if the list cannot become a file; while series are loading, the client retries."""
    if results.pause.is_outage and not results.found:
        raise Unavailable(results.pause.reason)
    if results.pending_count:
        message = SERIES_STILL_LOADING.format(
            loaded=results.loaded_count, total=len(results.entries), reason=results.pause.reason
        )
        raise Busy(message.strip(), RELOAD_SECONDS)
    if not results.found:
        if failed := [one.error for one in results.missing if one.failure.is_temporary]:
            raise Unavailable(failed[0])
        raise NotFound(NO_SERIES_FOUND)


def _render_page(request: HttpRequest, form: SeriesListForm, results: SeriesList) -> HttpResponse:
    query, entered = results.query, request.get_full_path()
    today = timezone.localdate()
    oddities = find_oddities(results.found, min(query.realtime_end or today, today))
    htmx = htmx_of(request)
    is_part = bool(htmx and htmx.target == "list")
    context = {
        "results": results,
        "with_row_ids": is_part or results.pending_count,
        "missing": find_missing(results),
        "remarks": form.remarks,
        # Where a list is frozen, the form and the copy have the remarks, too.
        "entered": entered if form.remarks and len(entered) <= MAX_LINK else "",
        "added": next((one for one in query.ids if one == request.GET.get("added")), ""),
        "findings": [*oddities, *find_relatives(results.found)],
        "verdict": summarise_oddities(oddities),
        "table": Table(results),
        "canonical": query.link(),
        "reload_seconds": RELOAD_SECONDS,
        **_build_form_context(form),
    }
    name = "series_list/_list" if is_part else "series_list/page"
    if not results.found:
        return render_page(request, name, context)
    start, end = results.period()
    fixed = pin(query, start, end)
    last, has_past = end_or_today(start, end), results.has_past()
    files = file_links(url_path("series_list").rstrip("/"), query.query_string())
    links = ViewLinks(
        pinned=fixed.link() if has_past and fixed != query else "",
        # Under the title of a saved list.
        export=Export(files, len(results.found), pack=getattr(request, "pack", "")),
        name_of_pin=name_of_pin([last]),
        day_note=note_on_open_day([last]) if has_past else "",
        current=replace(query, realtime_start=None, realtime_end=None).link(),
        has_past=has_past,
        timemap=timemap_link(query.link()),
    )
    context |= {"as_of": as_of(start, last), "last_day": last, "note": results.note}
    return render_with_links(request, name, context, links, steps={})


def _build_form_context(form: SeriesListForm) -> dict[str, Any]:
    return build_ids_context(form) | {
        "chosen": form.cleaned_data.get("columns", DEFAULT_COLUMNS),
        "choices": {name: field_label(name) for name in COLUMN_CHOICES},
        "fields": form.input_values(),
        "errors": form.errors,
    }
