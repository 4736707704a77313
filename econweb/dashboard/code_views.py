"""The request behind a view as code, and how a paper cites a series."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import citations, problems, take_along
from econweb.dashboard.citations import cited
from econweb.dashboard.destinations import better_address
from econweb.dashboard.forms import TagFilters
from econweb.dashboard.pages import show
from econweb.dashboard.provenance import series_link, with_words
from econweb.dashboard.snippets import ServiceRequest, snippets
from econweb.dashboard.sources import source_of
from econweb.dashboard.views import series_form, series_page


@require_safe
def tags_code(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    form = TagFilters(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    source = source_of(kind, number)
    return _code(request, source.link(form.query()), take_along.tag_request(request, source, form.query()))


@require_safe
def series_code(request: HttpRequest, series_id: str) -> HttpResponse:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    return _code(request, series_link(query), take_along.series_request(request, query))


def _code(request: HttpRequest, link: str, asked: ServiceRequest) -> HttpResponse:
    if better := better_address(request, with_words(request.path, urlsplit(link).query)):
        return redirect(better)
    return show(request, "code", {"link": link, "snippets": snippets(asked)})


@require_safe
@problems.shown
def series_citation(request: HttpRequest, series_id: str, suffix: str) -> HttpResponse:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := better_address(request, series_link(query)):
        return redirect(better)
    citation = cited(request, query, series_page(query))
    response = HttpResponse(
        citation.written(suffix), content_type=f"{citations.MEDIA_TYPES[suffix]}; charset=utf-8"
    )
    name = f"{citation.series.id}-{citation.as_of}.{suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
