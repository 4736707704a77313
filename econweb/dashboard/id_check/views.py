"""The check of series ids: a page for people, and files for programs that fail when something is not fine."""

from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.files.negotiation import is_file, wanted_format
from econweb.dashboard.files.responses import export_response, file_response
from econweb.dashboard.id_check.query import IdCheckForm, IdCheckQuery
from econweb.dashboard.id_check.results import CheckResults, check_ids
from econweb.dashboard.id_check.sheet import check_sheet
from econweb.dashboard.id_check.snippets import check_snippets
from econweb.dashboard.page_links import url_path
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.series_list.forms import EMPTY_BOX, NO_IDS, build_ids_context
from econweb.dashboard.series_list.loading import MAX_LOAD_SECONDS
from econweb.dashboard.sharing.view_links import Export, file_links

# A program waits longer than a user, and asks less often for the rest.
MAX_FILE_SECONDS = 5.0
# The snippets of a page without ids check these.
EXAMPLE = IdCheckQuery(("GDP", "UNRATE"), date(2025, 1, 1))


@require_safe
@vary_on_headers("Accept")
@upstream_problems.render_upstream_errors
def id_check(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = IdCheckForm(request.GET)
    if form.is_valid() and not form.query().words and is_file(request):
        form.add_error("ids", NO_IDS)
    if not form.is_valid():
        return problems.bad_parameters(request, form, **_problem_context(form))
    query = form.query()
    if not query.words and "ids" in request.GET:
        form.add_error("ids", EMPTY_BOX)
        # The link without empty fields would be the page before the form was sent.
        problem = problems.build_problem("invalid_field", message=EMPTY_BOX)
        return problems.error_page(request, problem, **_problem_context(form))
    if better := canonical_redirect(request, form.link_as_entered()):
        return redirect(better)
    if suffix := suffix or wanted_format(request):
        return _render_file(request, form, check_ids(query, MAX_FILE_SECONDS), suffix)
    results = check_ids(query, MAX_LOAD_SECONDS) if query.words else None
    return _render_page(request, form, results)


def _render_file(request: HttpRequest, form: IdCheckForm, results: CheckResults, suffix: str) -> HttpResponseBase:
    """Send the verdicts; until there is one on each id, with the status and header that make clients ask again."""
    link = request.build_absolute_uri(results.query.link())
    sheet = check_sheet(results, link, form.remarks)
    if results.is_complete:
        return export_response(request, sheet, suffix)
    response = file_response(sheet, suffix)
    response.status_code = 503
    response["Retry-After"] = str(results.retry_after)
    return response


def _render_page(request: HttpRequest, form: IdCheckForm, results: CheckResults | None) -> HttpResponse:
    query = form.query()
    export = Export(file_links(url_path("id_check").rstrip("/"), query.query_string()), len(query.words))
    address, is_private = request.build_absolute_uri(url_path("id_check_file", "json")), settings.READ != "anyone"
    context = {
        "results": results,
        "remarks": form.remarks,
        "query": query,
        "canonical": query.link(),
        "export": export,
        "other_forms": [export.alternates] if query.words else [],
        "snippets": check_snippets(address, (query if query.words else EXAMPLE).parameters(), is_private),
        "is_private": is_private,
        "has_tokens": settings.MCP,
        **_form_context(form),
    }
    return render_page(request, "id_check/page", context)


def _problem_context(form: IdCheckForm) -> dict[str, Any]:
    """Return what the page shows of an invalid form: its title, the sentence and the form."""
    return {"page": "id_check/page", "query": IdCheckQuery(), "results": None, **_form_context(form)}


def _form_context(form: IdCheckForm) -> dict[str, object]:
    since = form.cleaned_data.get("since", form.data.get("since"))
    context = build_ids_context(form) | {"fields": {"since": str(since or "")}, "errors": form.errors}
    return context | ({"pasted": " ".join(form.query().words)} if form.is_valid() else {})
