"""The search of series by the words of their titles."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_pages import problems
from econweb.dashboard.list_pages import list_context, redirect_or_file
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_search_page
from econweb.dashboard.series_search.query import PARSERS, SearchQuery
from econweb.dashboard.series_search.results import SearchResults, coverage
from econweb.dashboard.series_search.sheet import search_sheet
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import MAX_COUNTED


@require_safe
@vary_on_headers("Accept")
def series_search(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    results = SearchResults(SearchQuery(**form.cleaned_data))
    if other := redirect_or_file(request, results, suffix, search_sheet, MAX_COUNTED):
        return other
    if not settings.ECON_MAY_STORE:
        # The cache changes with every series that is opened.
        return _page(request, form, results)
    return conditional_response(request, _revision, lambda: _page(request, form, results))


def _revision() -> object:
    return title_index.revision(), label_revision()


def _page(request: HttpRequest, form: LinkForm, results: SearchResults) -> HttpResponse:
    title = f"Series with {results.in_words()}" if results.query.q else "Search series"
    return render_search_page(request, "series_search", list_context(form, results, title=title, coverage=coverage()))
