"""The series page, its code and its citations."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.lookup.known_series import find_near
from econweb.dashboard.page_links import series_link
from econweb.dashboard.parameters import PERIOD
from econweb.dashboard.realtime import end_or_today
from econweb.dashboard.redirects import canonical_redirect, short_link
from econweb.dashboard.relations.related import NamedSeries, find_alike_names, get_twins, name_series_in_notes
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import is_refresh, render_page
from econweb.dashboard.series.citations import build_citation
from econweb.dashboard.series.dataset import series_dataset
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.series.forms import SeriesForm, series_form
from econweb.dashboard.series.history import History, find_versions, get_history, nearest_version
from econweb.dashboard.series.next_steps import next_steps
from econweb.dashboard.series.sharing_links import series_links, series_request
from econweb.dashboard.series.sheet import series_sheet
from econweb.dashboard.series.span import draw_span
from econweb.dashboard.series.versions import draw_time_line, note_on_version
from econweb.dashboard.sharing import view_links
from econweb.dashboard.sharing.citations import citation_response
from econweb.dashboard.sharing.code_page import render_code_page
from econweb.dashboard.sharing.pins import is_pinnable
from econweb.dashboard.sharing.view_links import ViewLinks
from econweb.label_book.lookup import revision as label_revision
from econweb.library.public_copies import count_copies
from econweb.search_index.titles.places import Record
from econweb.upstream import service
from econweb.upstream.errors import NotFound, NotInPeriod, UpstreamError, WrongValue
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series, SeriesPage, is_discontinued


class _Found(NamedTuple):
    """The parts of a series page: the series, its versions, its twins, the series of its notes, and its links."""

    page: SeriesPage
    history: History
    twins: list[Record]
    named_in_notes: list[NamedSeries]
    links: ViewLinks


@require_safe
def series_code(request: HttpRequest, series_id: str) -> HttpResponse:
    form = series_form(request.GET, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    return render_code_page(
        request, series_link(query), query.series_id, series_request(request, query, settings.ECON_BASE_URL)
    )


@require_safe
@upstream_problems.render_upstream_errors
def series_citation(request: HttpRequest, series_id: str, suffix: str) -> HttpResponse:
    form = series_form(request.GET, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, series_link(query)):
        return redirect(better)
    return citation_response(build_citation(request, query, fetch_series(query)), suffix)


@require_safe
@upstream_problems.render_upstream_errors
def series(request: HttpRequest, series_id: str, suffix: str = "") -> HttpResponseBase:
    form = series_form(request.GET, series_id)
    suffix = suffix or wanted_format(request)
    if not form.is_valid():
        return _render_errors(request, form, suffix)
    query = form.query()
    link = series_link(query)
    if is_refresh(request):
        service.series(query, renew=True)
        get_history(query.series_id, renew=True)
    if better := canonical_redirect(request, link):
        return redirect(better)
    try:
        page = fetch_series(query)
    except WrongValue as error:
        upstream_problems.add_refusal(form, error)
        return _render_errors(request, form, suffix)
    except NotFound as error:
        return _render_missing(request, query, error, series_id)
    if suffix:
        sheet = series_sheet(page, request.build_absolute_uri(link), query.realtime_end, suffix)
        return export_response(request, sheet, suffix)
    found = _find(query, page)
    response = conditional_response(
        request,
        lambda: _revision(query, _find(query, fetch_series(query))),
        lambda: _render_series(request, form, query, found),
        _revision(query, found),
    )
    return view_links.add_link_header(response, found.links, steps={})


def _find(query: SeriesQuery, page: SeriesPage) -> _Found:
    newest = page.reply.seriess[-1]
    history, named = get_history(query.series_id), name_series_in_notes(newest)
    return _Found(page, history, get_twins(newest), named, series_links(query, page))


def _revision(query: SeriesQuery, found: _Found) -> object:
    copies = count_copies(series_link(query))
    related = found.twins, found.named_in_notes, label_revision()
    return found.page.freshness, is_pinnable(query), found.history.revision, copies, related


def _render_missing(request: HttpRequest, query: SeriesQuery, error: NotFound, series_id: str) -> HttpResponse:
    more: dict[str, Any] = {}
    if query.realtime_start or query.realtime_end:
        more = _link_to_version(query, find_versions(query.series_id))
    elif isinstance(error, NotInPeriod):
        # The page of a series that has a record of today asks for its versions, too.
        more = _link_to_version(query, get_history(query.series_id).seriess)
    else:
        more = {"near": find_near([series_id])[series_id]}
    return upstream_problems.upstream_error_page(request, error, series_link(query), **more)


def _link_to_version(query: SeriesQuery, versions: Sequence[Series]) -> dict[str, str]:
    if not (nearest := nearest_version(query, versions)):
        return {}
    day, words = nearest
    # A link to today would lead to the same error.
    no_link = {"as_of_today": ""} if versions[-1].realtime_end < timezone.localdate() else {}
    return no_link | {"more_link": series_link(SeriesQuery(query.series_id, day, day)), "more_words": words}


def _render_errors(request: HttpRequest, form: SeriesForm, suffix: str) -> HttpResponse:
    """Keep the page of the series when only its dates are wrong, and say so beside them."""
    query = SeriesQuery(form.data["series_id"].upper())
    if suffix or not form.errors.keys() <= {*PERIOD}:
        return problems.bad_parameters(request, form)
    if better := short_link(request):
        return redirect(better)
    try:
        return _render_series(request, form, query, _find(query, fetch_series(query)))
    except UpstreamError:
        return problems.bad_parameters(request, form)


def _render_series(request: HttpRequest, form: SeriesForm, query: SeriesQuery, found: _Found) -> HttpResponse:
    page, history = found.page, found.history
    newest, reply = page.reply.seriess[-1], page.reply
    today = timezone.localdate()
    context = {
        "page": page,
        "newest": newest,
        "span": draw_span(newest),
        "discontinued": is_discontinued(newest.title),
        "history": history,
        "time_line": draw_time_line(history.seriess, newest, today) if history.seriess else None,
        "twins": found.twins,
        "alike_names": find_alike_names(newest),
        "named_in_notes": found.named_in_notes,
        "is_past": query.realtime_end is not None and query.realtime_end < today,
        "coverage_note": note_on_version(history.seriess, newest, today),
        "next_steps": next_steps(query),
        "canonical": series_link(query),
        "view_links": found.links,
        "citation": build_citation(request, query, page).text(),
        "dataset": series_dataset(newest, request.build_absolute_uri(series_link(query))),
        "last_day": end_or_today(reply.realtime_start, reply.realtime_end),
        "fields": form.input_values(),
        "invalid": form.errors,
        "misspelt": form.suggest_spellings(),
    }
    return render_page(request, "series/page", context, 400 if form.errors else 200)
