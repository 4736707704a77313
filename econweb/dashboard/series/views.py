"""The series page, its code and its citations."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems
from econweb.dashboard.files import responses as formats
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.forms import suggest_spellings
from econweb.dashboard.links import series_link
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page, wants_refresh
from econweb.dashboard.series import citations
from econweb.dashboard.series.citations import build_citation
from econweb.dashboard.series.forms import SeriesForm, series_form
from econweb.dashboard.series.links import series_links, series_request
from econweb.dashboard.series.lookup import series_page
from econweb.dashboard.series.sheet import series_sheet
from econweb.dashboard.series.versions import is_discontinued, list_versions, span
from econweb.dashboard.sharing import view_links
from econweb.dashboard.sharing.code_page import render_code_page
from econweb.dashboard.sharing.pins import is_pinnable
from econweb.upstream import service
from econweb.upstream.errors import WrongValue
from econweb.upstream.records import SeriesPage


@require_safe
def series_code(request: HttpRequest, series_id: str) -> HttpResponse:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    return render_code_page(request, series_link(query), series_request(request, query))


@require_safe
@problems.render_upstream_errors
def series_citation(request: HttpRequest, series_id: str, suffix: str) -> HttpResponse:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, series_link(query)):
        return redirect(better)
    citation = build_citation(request, query, series_page(query))
    response = HttpResponse(citation.render(suffix), content_type=f"{citations.MEDIA_TYPES[suffix]}; charset=utf-8")
    name = f"{citation.series.id}-{citation.as_of}.{suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@problems.render_upstream_errors
def series(request: HttpRequest, series_id: str, suffix: str = "") -> HttpResponseBase:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    link = series_link(query)
    if wants_refresh(request):
        service.series(query, renew=True)
    if better := canonical_redirect(request, link):
        return redirect(better)
    try:
        page = series_page(query)
    except WrongValue as error:
        problems.add_refusal(form, error)
        return problems.bad_parameters(request, form)
    links = series_links(query, page)
    if suffix := suffix or wanted_format(request):
        return formats.export_response(request, series_sheet(page, request.build_absolute_uri(link)), suffix)
    response = conditional_response(
        request,
        (page.freshness, links.has_past),
        lambda: (series_page(query).freshness, is_pinnable(query)),
        lambda: _render_series(request, form, page, links),
    )
    return view_links.add_link_header(response, links, steps={})


def _render_series(
    request: HttpRequest, form: SeriesForm, page: SeriesPage, links: view_links.ViewLinks
) -> HttpResponse:
    query = form.query()
    context = {
        "page": page,
        "newest": page.reply.seriess[-1],
        "span": span(page.reply.seriess[-1]),
        "discontinued": is_discontinued(page.reply.seriess[-1]),
        "versions": list_versions(page.reply.seriess),
        "canonical": series_link(query),
        "view_links": links,
        "citation": build_citation(request, query, page).text(),
        "fields": form.fields_shown(),
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_page(request, "series/page", context)
