"""The list of all tags: each leads to the page that says where it occurs."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_pages import problems
from econweb.dashboard.list_pages import list_context, redirect_or_file
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_search_page
from econweb.dashboard.tag_list.query import PARSERS, TagListQuery
from econweb.dashboard.tag_list.results import TagList
from econweb.dashboard.tag_list.sheet import tag_list_sheet
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index


@require_safe
@vary_on_headers("Accept")
def tag_list(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = TagList(TagListQuery(**form.cleaned_data))
    if other := redirect_or_file(request, found, suffix, tag_list_sheet):
        return other
    return conditional_response(request, _revision, lambda: _page(request, form, found))


def _revision() -> object:
    return tag_index.state(), describe_coverage()


def _page(request: HttpRequest, form: LinkForm, found: TagList) -> HttpResponse:
    title = f"Tags {found.in_words()}".rstrip()
    context = list_context(form, found, title=title, coverage=describe_coverage())
    return render_search_page(request, "tag_list", context)
