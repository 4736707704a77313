"""The comparison page and its files: tags of categories and releases, or descriptions of series."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.accounts.people import Person, Role
from econweb.dashboard.comparison.difference import difference_sheet
from econweb.dashboard.comparison.fetching import about, fetch_difference, fetch_seriess, fetch_tags
from econweb.dashboard.comparison.forms import SOURCE_PARAMETERS, CompareForm, filled_fields
from econweb.dashboard.comparison.query import MIN_SOURCES, CompareQuery, compare_path
from econweb.dashboard.comparison.records import (
    cite_copies,
    has_copy,
    has_other_service,
    is_difference,
    link_of_series,
    note_on_search,
    searched_text,
)
from econweb.dashboard.comparison.series import compare_fields, compare_notes, note_on_days, note_on_popularity
from econweb.dashboard.comparison.sheets import APPROXIMATE, series_comparison_sheet, tag_comparison_sheet
from econweb.dashboard.comparison.sources import ComparedSource, name_sources
from econweb.dashboard.comparison.summary import differing_fields
from econweb.dashboard.comparison.typeset import typeset_difference, typeset_series, typeset_tags
from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.frozen.access import render_missing_copies
from econweb.dashboard.parameter_checks import unknown_group_message
from econweb.dashboard.realtime import end_or_today
from econweb.dashboard.redirects import canonical_redirect, same_page
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rights import requires
from econweb.dashboard.series.history import find_versions, nearest_version
from econweb.dashboard.sharing.pins import is_pinnable, name_of_pin, note_on_open_day
from econweb.dashboard.sharing.view_links import Export, ViewLinks, file_links, render_with_links
from econweb.upstream.errors import NotFound, NotInPeriod, WrongValue
from econweb.upstream.queries import SeriesQuery


@require_safe
def compare(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    return _compare(request, None, suffix)


@require_safe
@requires(Role.READER)
def my_compare(request: HttpRequest, person: Person, suffix: str = "") -> HttpResponseBase:
    """Compare frozen copies that the person may see."""
    return _compare(request, person, suffix)


@upstream_problems.render_upstream_errors
@render_missing_copies
def _compare(request: HttpRequest, person: Person | None, suffix: str) -> HttpResponseBase:
    form = CompareForm(request.GET, person)
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
    response = _render_comparison(request, form, suffix)
    if has_copy(query.sources):
        # As of the pages of copies, search engines list none.
        response["X-Robots-Tag"] = "noindex"
    return response


def _render_comparison(request: HttpRequest, form: CompareForm, suffix: str) -> HttpResponseBase:
    query = form.query()
    try:
        if query.sources["a"].is_series:
            return _compare_series(request, query, suffix)
        if is_difference(query.sources):
            return _show_difference(request, CompareQuery(query.sources, person=query.person), suffix)
        return _compare_tags(request, form, suffix)
    except WrongValue as error:
        upstream_problems.add_refusal(form, error)
        return _bad_parameters(request, form)
    except NotInPeriod as error:
        return _not_in_period(request, form, error)
    except NotFound as error:
        form.offer_other_kind(_find_source(query, error)[0])
        return upstream_problems.upstream_error_page(request, error, query.link(), **_form_to_correct(form))


def _not_in_period(request: HttpRequest, form: CompareForm, error: NotInPeriod) -> HttpResponse:
    """Render the error with the form. Two days of one thing are the same today, and no comparison."""
    query = form.query()
    today = query.without_days()
    differ = len({source.owner for source in today.sources.values()}) > 1
    link = same_page(request, today.query_string()) if differ and today != query else ""
    filled = _form_to_correct(form) | {"source_fields": filled_fields(query.sources)} | _link_to_version(query, error)
    return upstream_problems.upstream_error_page(request, error, query.link(), as_of_today=link, **filled)


def _link_to_version(query: CompareQuery, error: NotInPeriod) -> dict[str, str]:
    """Return the link to the comparison with a version of the series that has none on its day."""
    letter, source = _find_source(query, error)
    if source.kind != "series":
        return {}
    nearest = nearest_version(SeriesQuery(source.id, source.day, source.day), find_versions(source.id))
    if not nearest:
        return {}
    day, words = nearest
    link = replace(query, sources={**query.sources, letter: replace(source, day=day)}).link()
    return {"more_link": link, "more_words": f"{source.id}: {words[0].lower()}{words[1:]}"}


def _find_source(query: CompareQuery, error: NotFound) -> tuple[str, ComparedSource]:
    return next((letter, one) for letter, one in query.sources.items() if str(error).startswith(about(one)))


def _bad_parameters(request: HttpRequest, form: CompareForm) -> HttpResponse:
    code = "unclear_field" if form.is_only_unclear() else ""
    return problems.bad_parameters(request, form, code=code, **_form_to_correct(form))


def _form_to_correct(form: CompareForm) -> dict[str, Any]:
    fields, link = form.source_fields(), compare_path(form.person)
    return {"filled": "comparison/_form.html", "source_fields": fields, "form_link": link}


def _compare_tags(request: HttpRequest, form: CompareForm, suffix: str) -> HttpResponseBase:
    query = form.query()
    comparison, source_links = fetch_tags(query)
    pages = comparison.pages
    if words := unknown_group_message(query.tag_group_id, comparison.groups):
        form.add_error("tag_group_id", words)
        return _bad_parameters(request, form)
    if suffix:
        link = request.build_absolute_uri(query.link())
        sheet = tag_comparison_sheet(comparison, link)
        return export_response(request, typeset_tags(sheet, comparison) if suffix == "tex" else sheet, suffix)
    days = {letter: end_or_today(page.realtime_start, page.realtime_end) for letter, page in pages.items()}
    context = _build_form_context(query) | {"comparison": comparison, "note": APPROXIMATE, "days": days, "pages": pages}
    context["links"] = source_links
    context |= _notes_on_copies(request, query)
    context["misspelt"] = form.suggest_spellings(*SOURCE_PARAMETERS)
    steps = {step.relation: step.link for step in comparison.steps}
    links = _build_links(query, days, len(comparison.view))
    return render_with_links(request, "comparison/tags", context, links, steps)


def _compare_series(request: HttpRequest, query: CompareQuery, suffix: str) -> HttpResponseBase:
    pages = fetch_seriess(query)
    newest = {letter: page.reply.seriess[-1] for letter, page in pages.items()}
    rows = compare_fields(list(newest.values()))
    if suffix:
        link = request.build_absolute_uri(query.link())
        sheet = series_comparison_sheet(query, pages, rows, link)
        return export_response(request, typeset_series(sheet, query, pages) if suffix == "tex" else sheet, suffix)
    days = {letter: end_or_today(page.reply.realtime_start, page.reply.realtime_end) for letter, page in pages.items()}
    context = _build_form_context(query) | {"rows": rows, "days": days, "pages": pages}
    context["links"] = {letter: link_of_series(one, query.person) for letter, one in query.sources.items()}
    context |= _notes_on_copies(request, query)
    context["notes"] = compare_notes([(name, newest[letter]) for letter, name in name_sources(query.sources).items()])
    # The cells of a live source say so themselves.
    copies = [source for source in query.sources.values() if source.copy]
    context["notes_on_days"] = [*note_on_days(pages), *note_on_popularity(copies)]
    context["is_past"] = [source.is_past and not source.copy for source in query.sources.values()]
    context["differing"] = differing_fields(rows)
    links = _build_links(query, days, len(rows))
    return render_with_links(request, "comparison/series", context, links, steps={})


def _show_difference(request: HttpRequest, query: CompareQuery, suffix: str) -> HttpResponseBase:
    comparison = fetch_difference(query)
    found = comparison.found
    if suffix:
        sheet = difference_sheet(comparison, request.build_absolute_uri(query.link()))
        return export_response(request, typeset_difference(sheet, comparison) if suffix == "tex" else sheet, suffix)
    days = {letter: end_or_today(one.realtime_start, one.realtime_end) for letter, one in found.items()}
    context = _build_form_context(query) | _notes_on_copies(request, query)
    context |= {"comparison": comparison, "difference": comparison.difference, "pages": found, "days": days}
    context["headings"] = comparison.headings()
    context["links"] = {letter: one.link for letter, one in found.items()}
    links = _build_links(query, days, comparison.difference.rows)
    return render_with_links(request, "comparison/difference", context, links, steps={})


def _notes_on_copies(request: HttpRequest, query: CompareQuery) -> dict[str, object]:
    """Return what a page says about the frozen copies among its sources."""
    sources = query.sources
    return {
        **cite_copies(query, request),
        "note_on_search": note_on_search(sources),
        "is_same_search": bool(searched_text(sources)),
        "has_other_service": has_other_service(sources),
    }


def _build_links(query: CompareQuery, days: Mapping[str, date], rows: int) -> ViewLinks:
    """Return the links out of the view; a pinned link gives each source a day."""
    sources = {
        letter: source if source.copy else replace(source, day=days[letter]) for letter, source in query.sources.items()
    }
    fixed, undated = replace(query, sources=sources), query.without_days()
    series_queries = [SeriesQuery(one.id, one.day, one.day) for one in query.sources.values() if one.kind == "series"]
    has_past = all(map(is_pinnable, series_queries))
    live_days = [days[letter] for letter, source in query.sources.items() if not source.copy]
    return ViewLinks(
        pinned=fixed.link() if has_past and fixed != query else "",
        export=Export(file_links(compare_path(query.person).rstrip("/"), query.query_string()), rows),
        name_of_pin=name_of_pin(_list_undated_days(query, days)),
        day_note=note_on_open_day(live_days) if has_past else "",
        current=undated.link() if undated != query else "",
        has_past=has_past,
        is_live=query.person is None,
        can_be_followed=False,
    )


def _list_undated_days(query: CompareQuery, days: Mapping[str, date]) -> list[date]:
    """Return the days that a pinned link adds."""
    return [days[letter] for letter, source in query.sources.items() if source.day is None and not source.copy]


def _build_form_context(query: CompareQuery) -> dict[str, object]:
    """Return the names of the sources, and the form: a field for each, and empty ones for more."""
    return {
        "query": query,
        "names": name_sources(query.sources),
        "source_fields": filled_fields(query.sources),
        "canonical": query.link(),
        "form_link": compare_path(query.person),
    }
