"""The search of series by the words of their titles."""

from dataclasses import replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard import problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.forms import suggest_spellings
from econweb.dashboard.page_links import url_path
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_search_page
from econweb.dashboard.series_search.forms import SearchForm
from econweb.dashboard.series_search.query import SearchQuery
from econweb.dashboard.series_search.results import SearchResults, coverage
from econweb.dashboard.series_search.sheet import search_sheet
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import MAX_COUNTED


@require_safe
def series_search(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = SearchForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        # A file has all pages.
        results = SearchResults(replace(query, offset=0), MAX_COUNTED)
        sheet = search_sheet(results, request.build_absolute_uri(query.link(offset=0)), title_index.revision())
        return export_response(request, sheet, suffix)
    if not settings.ECON_MAY_STORE:
        # The cache changes with every series that is opened.
        return _render(request, form, query)
    return conditional_response(request, _revision, lambda: _render(request, form, query))


def _revision() -> tuple[object, ...]:
    return title_index.revision(), label_revision()


@vary_on_headers("Accept")
def _render(request: HttpRequest, form: SearchForm, query: SearchQuery) -> HttpResponse:
    results = SearchResults(query)
    files = file_links(url_path("series_search").rstrip("/"), query.query_string(offset=0)) if results.total else {}
    context = {
        "query": query,
        "results": results,
        "title": f"Series with {results.in_words()}" if query.q else "Search series",
        "canonical": query.link(),
        "coverage": coverage(),
        "export": Export(files, results.total),
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_search_page(request, "series_search", context)
