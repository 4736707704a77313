"""The comparison page and its files: tags of categories and releases, or descriptions of series."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems
from econweb.dashboard.comparison.forms import SOURCE_PARAMETERS, CompareForm, filled_fields
from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.series import compare_fields, compare_notes
from econweb.dashboard.comparison.sheets import APPROXIMATE, series_comparison_sheet, tag_comparison_sheet
from econweb.dashboard.comparison.sources import ComparedSource, name_sources
from econweb.dashboard.comparison.summary import differing_fields
from econweb.dashboard.comparison.table import TagComparison
from econweb.dashboard.error_texts import SOURCES_STILL_LOADING
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.forms import suggest_spellings, unknown_group_message
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import series_link, url_path
from econweb.dashboard.realtime import end_or_today
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.pages import RELOAD_SECONDS, render_page
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.sharing.pins import is_pinnable, name_of_pin
from econweb.dashboard.sharing.view_links import Export, ViewLinks, file_links, render_with_links
from econweb.upstream.errors import BadReply, Busy, NotFound, NotInPeriod, Refused, WrongValue
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import SeriesPage, TagPage

MIN_SOURCES = 2
Page = TypeVar("Page", SeriesPage, TagPage)


@require_safe
@problems.render_upstream_errors
def compare(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = CompareForm(request.GET)
    if not form.is_valid():
        return _bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, query.link(), form.has_key()):
        return redirect(better)
    suffix = suffix or wanted_format(request)
    if len(query.sources) < MIN_SOURCES:
        if suffix:
            # A file has no form to fill in.
            return problems.error_response(request, "one_source")
        return render_page(request, "comparison/start", _build_form_context(query))
    return _render_comparison(request, form, suffix)


def _render_comparison(request: HttpRequest, form: CompareForm, suffix: str) -> HttpResponseBase:
    query = form.query()
    try:
        if query.sources["a"].is_series:
            return _compare_series(request, query, suffix)
        return _compare_tags(request, form, suffix)
    except WrongValue as error:
        problems.add_refusal(form, error)
        return _bad_parameters(request, form)
    except NotInPeriod as error:
        as_of_today = problems.same_page(request, query.without_days().query_string())
        return problems.upstream_error_page(request, error, query.link(), as_of_today=as_of_today)
    except NotFound as error:
        letter = next(letter for letter, one in query.sources.items() if str(error).startswith(_about(one)))
        form.offer_other_kind(letter)
        return problems.upstream_error_page(
            request, error, query.link(), filled="comparison/_form.html", source_fields=form.source_fields()
        )


def _about(source: ComparedSource) -> str:
    return f"{source.title}: "


def _bad_parameters(request: HttpRequest, form: CompareForm) -> HttpResponse:
    return problems.bad_parameters(request, form, "comparison/_form.html", source_fields=form.source_fields())


def _compare_tags(request: HttpRequest, form: CompareForm, suffix: str) -> HttpResponseBase:
    query = form.query()
    owners = {letter: get_owner(one.kind, int(one.id)) for letter, one in query.sources.items()}
    queries = {letter: TagQuery(realtime_start=one.day, realtime_end=one.day) for letter, one in query.sources.items()}
    pages = _fetch_each(query, lambda letter: owners[letter].tags(queries[letter]))
    comparison = TagComparison(query, owners, pages)
    if words := unknown_group_message(query.tag_group_id, comparison.groups):
        form.add_error("tag_group_id", words)
        return _bad_parameters(request, form)
    if suffix:
        link = request.build_absolute_uri(query.link())
        return export_response(request, tag_comparison_sheet(comparison, link), suffix)
    days = {letter: end_or_today(page.realtime_start, page.realtime_end) for letter, page in pages.items()}
    context = _build_form_context(query) | {"comparison": comparison, "note": APPROXIMATE, "days": days, "pages": pages}
    context["links"] = {letter: owner.link(queries[letter]) for letter, owner in owners.items()}
    context["misspelt"] = suggest_spellings(form.data, [*SOURCE_PARAMETERS, *form.fields])
    steps = {step.relation: step.link for step in comparison.steps}
    links = _build_links(query, days, len(comparison.view))
    return render_with_links(request, "comparison/tags", context, links, steps)


def _compare_series(request: HttpRequest, query: CompareQuery, suffix: str) -> HttpResponseBase:
    queries = {letter: SeriesQuery(one.id, one.day, one.day) for letter, one in query.sources.items()}
    pages = _fetch_each(query, lambda letter: fetch_series(queries[letter]))
    newest = {letter: page.reply.seriess[-1] for letter, page in pages.items()}
    rows = compare_fields(list(newest.values()))
    if suffix:
        link = request.build_absolute_uri(query.link())
        return export_response(request, series_comparison_sheet(query, pages, rows, link), suffix)
    days = {letter: end_or_today(page.reply.realtime_start, page.reply.realtime_end) for letter, page in pages.items()}
    context = _build_form_context(query) | {"rows": rows, "days": days, "pages": pages}
    context["links"] = {letter: series_link(one) for letter, one in queries.items()}
    context["notes"] = compare_notes([(name, newest[letter]) for letter, name in name_sources(query.sources).items()])
    context["differing"] = differing_fields(rows)
    links = _build_links(query, days, len(rows))
    return render_with_links(request, "comparison/series", context, links, steps={})


def _fetch_each(query: CompareQuery, ask: Callable[[str], Page]) -> dict[str, Page]:
    """Fetch one source after another. Fetched ones are cached, so a retry continues after them."""
    late = time.monotonic() + settings.ECON_TIMEOUT / 2
    pages: dict[str, Page] = {}
    for letter, source in query.sources.items():
        if pages and time.monotonic() >= late:
            message = SOURCES_STILL_LOADING.format(loaded=len(pages), total=len(query.sources))
            raise Busy(message, RELOAD_SECONDS)
        try:
            pages[letter] = ask(letter)
        except (NotFound, Refused, BadReply) as error:
            raise type(error)(f"{_about(source)}{problems.message_of(error)}") from None
    return pages


def _build_links(query: CompareQuery, days: Mapping[str, date], rows: int) -> ViewLinks:
    """Return the links out of the view; a pinned link gives each source a day."""
    sources = {letter: replace(source, day=days[letter]) for letter, source in query.sources.items()}
    fixed = replace(query, sources=sources)
    series_queries = [SeriesQuery(one.id, one.day, one.day) for one in query.sources.values() if one.kind == "series"]
    has_past = all(map(is_pinnable, series_queries))
    return ViewLinks(
        pinned=fixed.link() if has_past and fixed != query else "",
        export=Export(file_links(url_path("compare").rstrip("/"), query.query_string()), rows),
        name_of_pin=name_of_pin(_list_undated_days(query, days)),
        current=query.without_days().link(),
        has_past=has_past,
    )


def _list_undated_days(query: CompareQuery, days: Mapping[str, date]) -> list[date]:
    """Return the days that a pinned link adds."""
    return [days[letter] for letter, source in query.sources.items() if source.day is None]


def _build_form_context(query: CompareQuery) -> dict[str, object]:
    """Return the names of the sources, and the form: a field for each, and empty ones for more."""
    return {
        "query": query,
        "names": name_sources(query.sources),
        "source_fields": filled_fields(query.sources),
        "canonical": query.link(),
    }
