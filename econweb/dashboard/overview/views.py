"""The overview: every category and release that was read, in one table."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard import problems
from econweb.dashboard.files.negotiation import wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.forms import MAX_OFFSET, suggest_spellings
from econweb.dashboard.overview.forms import OverviewForm
from econweb.dashboard.overview.query import OverviewQuery
from econweb.dashboard.overview.results import Overview
from econweb.dashboard.overview.sheet import overview_sheet
from econweb.dashboard.page_links import url_path
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index


@require_safe
def overview(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = OverviewForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        # A file has all pages.
        whole, link = Overview(replace(query, offset=0), MAX_OFFSET), request.build_absolute_uri(query.link(offset=0))
        sheet = overview_sheet(whole, link, describe_coverage(), tag_index.state().revision)
        return export_response(request, sheet, suffix)
    return conditional_response(request, _revision, lambda: _page(request, form, query))


def _revision() -> object:
    return tag_index.state(), describe_coverage(), label_revision()


@vary_on_headers("Accept")
def _page(request: HttpRequest, form: OverviewForm, query: OverviewQuery) -> HttpResponse:
    found = Overview(query)
    files = file_links(url_path("overview").rstrip("/"), query.query_string(offset=0))
    context = {
        "query": query,
        "overview": found,
        "rows": list(found.rows()),
        "title": "Overview of categories and releases",
        "canonical": query.link(),
        "coverage": describe_coverage(),
        "export": Export(files, found.total),
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_page(request, "overview/page", context)
