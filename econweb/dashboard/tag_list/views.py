"""The list of all tags: each leads to the page that says where it occurs."""

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
from econweb.dashboard.page_links import url_path
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_search_page
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.dashboard.tag_list.forms import TagListForm
from econweb.dashboard.tag_list.query import TagListQuery
from econweb.dashboard.tag_list.results import TagList
from econweb.dashboard.tag_list.sheet import tag_list_sheet
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index


@require_safe
def tag_list(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = TagListForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        # A file has all pages.
        whole, link = TagList(replace(query, offset=0), MAX_OFFSET), request.build_absolute_uri(query.link(offset=0))
        sheet = tag_list_sheet(whole, link, describe_coverage(), tag_index.state().revision)
        return export_response(request, sheet, suffix)
    return conditional_response(request, _revision, lambda: _page(request, form, query))


def _revision() -> object:
    return tag_index.state(), describe_coverage()


@vary_on_headers("Accept")
def _page(request: HttpRequest, form: TagListForm, query: TagListQuery) -> HttpResponse:
    found = TagList(query)
    files = file_links(url_path("tag_list").rstrip("/"), query.query_string(offset=0)) if found.found else {}
    context = {
        "query": query,
        "tags": found,
        "title": f"Tags {found.in_words()}".rstrip(),
        "canonical": query.link(),
        "form_link": TagListQuery().link(),
        "coverage": describe_coverage(),
        "export": Export(files, len(found.found)),
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_search_page(request, "tag_list", context)
