"""The page of a tag: what it is, and where it occurs."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_pages import problems
from econweb.dashboard.list_pages import list_context, redirect_or_file
from econweb.dashboard.occurrences.query import PARSERS, OccurrenceQuery
from econweb.dashboard.occurrences.results import TagOccurrences
from econweb.dashboard.occurrences.sheet import occurrence_sheet
from econweb.dashboard.parameters import LinkForm
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.label_book.lookup import revision as label_revision
from econweb.redaction import remove_pasted_key
from econweb.search_index.reading.status import describe_coverage
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.occurrences import find_tag
from econweb.search_index.tags.similar import similarities


@require_safe
@vary_on_headers("Accept")
def tag(request: HttpRequest, name: str, suffix: str = "") -> HttpResponseBase:
    form = LinkForm(request.GET, PARSERS)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    found = find_tag(name)
    if not found:
        code = "no_tag" if tag_index.coverage().read else "no_index"
        return problems.error_response(request, code, text=remove_pasted_key(name), message=describe_coverage())
    results = TagOccurrences(OccurrenceQuery(**form.cleaned_data, name=name), found)
    if other := redirect_or_file(request, results, suffix, occurrence_sheet):
        return other
    return conditional_response(request, _revision, lambda: _page(request, form, results))


def _revision() -> object:
    """Return all that a page shows: the index, how old it is, and the names."""
    return tag_index.state(), similarities().state, describe_coverage(), label_revision()


def _page(request: HttpRequest, form: LinkForm, results: TagOccurrences) -> HttpResponse:
    title = f"Tag {results.query.name}"
    context = list_context(form, results, tag=results.tag, title=title, coverage=describe_coverage())
    return render_page(request, "occurrences/page", context)
