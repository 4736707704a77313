"""The directory of the categories and releases that have a name."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems
from econweb.dashboard.browse.directory import Section, build_sections
from econweb.dashboard.browse.query import BrowseForm, BrowseQuery
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import RESULTS, choose_layout, render_page
from econweb.label_book.lookup import version as label_version


@require_safe
def browse(request: HttpRequest) -> HttpResponse:
    form = BrowseForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    return conditional_response(request, label_version(), label_version, lambda: _directory(request, query))


def _directory(request: HttpRequest, query: BrowseQuery) -> HttpResponse:
    sections = build_sections(query)
    context = {
        "query": query,
        "sections": [section for section in sections if section.found],
        "count": _count_in_words(query, sections),
        "title": _title(query),
        "canonical": query.link(),
    }
    response = render_page(request, "browse/page", context, fragment="browse/_results")
    if choose_layout(request) == RESULTS:
        # The words of the box change the link, and make no step of the history.
        response["HX-Replace-Url"] = query.link()
    return response


def _title(query: BrowseQuery) -> str:
    kind = {"": "Categories and releases", "category": "Categories", "release": "Releases"}[query.kind]
    return f"{kind} with “{query.text}”" if query.text else kind


def _count_in_words(query: BrowseQuery, sections: list[Section]) -> str:
    counts = [f"{len(one.found):,} {one.title.lower() if len(one.found) != 1 else one.kind}" for one in sections]
    return " and ".join(counts) + (f" with “{query.text}” in the name" if query.text else "")
