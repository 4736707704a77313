"""The page of a tag: what it is, and where it occurs."""

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
from econweb.dashboard.occurrences.forms import OccurrenceForm
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.dashboard.occurrences.results import TagOccurrences
from econweb.dashboard.occurrences.sheet import occurrence_sheet
from econweb.dashboard.page_links import tag_link
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.sharing.view_links import Export, file_links
from econweb.label_book.lookup import revision as label_revision
from econweb.redaction import remove_pasted_key
from econweb.search_index.models import IndexedTag
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.occurrences import find_tag
from econweb.search_index.tags.similar import similarities


@require_safe
def tag(request: HttpRequest, name: str, suffix: str = "") -> HttpResponseBase:
    form = OccurrenceForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = find_tag(name)
    if not found:
        code = "no_tag" if tag_index.coverage().read else "no_index"
        return problems.error_response(request, code, text=remove_pasted_key(name), message=describe_coverage())
    query = form.query(name)
    if better := canonical_redirect(request, query.link()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        return _file(request, query, found, suffix)
    return conditional_response(request, _revision, lambda: _page(request, form, query, found))


def _revision() -> object:
    """Return all that a page shows: the index, how old it is, and the names."""
    return tag_index.state(), similarities().state, describe_coverage(), label_revision()


def _file(request: HttpRequest, query: OccurrenceQuery, found: IndexedTag, suffix: str) -> HttpResponseBase:
    # A file has all pages.
    whole = replace(query, selection=replace(query.selection, offset=0, limit=MAX_OFFSET))
    link, revision = request.build_absolute_uri(query.link(offset=0)), tag_index.state().revision
    sheet = occurrence_sheet(TagOccurrences(whole, found), link, describe_coverage(), revision)
    return export_response(request, sheet, suffix)


@vary_on_headers("Accept")
def _page(request: HttpRequest, form: OccurrenceForm, query: OccurrenceQuery, found: IndexedTag) -> HttpResponse:
    results = TagOccurrences(query, found)
    files = file_links(tag_link(query.name).rstrip("/"), query.query_string(offset=0))
    context = {
        "query": query,
        "results": results,
        "tag": found,
        "title": f"Tag {query.name}",
        "canonical": query.link(),
        "coverage": describe_coverage(),
        "export": Export(files, results.total),
        "misspelt": suggest_spellings(form.data, form.fields),
    }
    return render_page(request, "occurrences/page", context)
