"""The overview: every category and release that was read, in one table."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_pages import problems
from econweb.dashboard.list_pages import list_context, redirect_or_file
from econweb.dashboard.overview.query import PARSERS, OverviewQuery
from econweb.dashboard.overview.results import Overview
from econweb.dashboard.overview.sheet import overview_sheet
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index


@require_safe
@vary_on_headers("Accept")
def overview(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = Overview(OverviewQuery(**form.cleaned_data))
    if other := redirect_or_file(request, found, suffix, overview_sheet):
        return other
    return conditional_response(request, _revision, lambda: _page(request, form, found))


def _revision() -> object:
    return tag_index.state(), describe_coverage(), label_revision()


def _page(request: HttpRequest, form: LinkForm, found: Overview) -> HttpResponse:
    title, rows = "Overview of categories and releases", list(found.rows())
    context = list_context(form, found, rows=rows, title=title, coverage=describe_coverage())
    return render_page(request, "overview/page", context)
