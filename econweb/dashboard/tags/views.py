"""The tag page of a category or release, its names, profile and code."""

from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from econweb.dashboard.error_pages import problems, upstream_problems
from econweb.dashboard.error_texts.messages import NO_TOTAL
from econweb.dashboard.files.negotiation import is_file, wanted_format
from econweb.dashboard.files.responses import export_response
from econweb.dashboard.lookup.tag_owners import TagOwner, get_owner
from econweb.dashboard.page_links import with_query
from econweb.dashboard.parameter_checks import LABELS
from econweb.dashboard.parameters import ABOVE_RESULTS, RealtimeLinkForm
from econweb.dashboard.redirects import canonical_redirect
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import (
    RESULTS,
    choose_layout,
    current_path_of,
    htmx_of,
    is_embedded,
    is_refresh,
    render_page,
)
from econweb.dashboard.sharing import view_links
from econweb.dashboard.sharing.code_page import render_code_page
from econweb.dashboard.tags.columns import OPTIONAL_COLUMNS
from econweb.dashboard.tags.forms import TagForm
from econweb.dashboard.tags.results import TagResults
from econweb.dashboard.tags.scatter_plot import MAX_DOTS, MAX_INLINE_DOTS
from econweb.dashboard.tags.sharing_links import page_links_of, tag_request
from econweb.dashboard.tags.sheet import tag_sheet
from econweb.library.public_copies import count_copies
from econweb.upstream.errors import UpstreamError, WrongValue
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage

# Parameters with an input above the results.
ABOVE = ABOVE_RESULTS | {"columns"}


@require_safe
def tags_code(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    form = TagForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    owner = get_owner(kind, number)
    query = form.query()
    return render_code_page(request, owner.link(query), owner.name or owner.title, tag_request(request, owner, query))


@require_safe
def tags(request: HttpRequest, kind: str, number: int, suffix: str = "") -> HttpResponseBase:
    return show_tags(request, get_owner(kind, number), suffix)


@require_safe
@upstream_problems.render_upstream_errors
def names(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    return show_names(request, TagOwner(kind, number))


def show_names(request: HttpRequest, owner: TagOwner) -> HttpResponse:
    """List all tag names of the owner in a period, for completion."""
    form = RealtimeLinkForm(request.GET, {})
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    return render_page(request, "tags/_names", {"names": owner.tags(TagQuery(**form.cleaned_data)).names})


@require_safe
@upstream_problems.render_upstream_errors
def profile(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    return show_profile(request, get_owner(kind, number))


def show_profile(request: HttpRequest, owner: TagOwner) -> HttpResponse:
    """Render the pictures of a view, as a page or as the part below a long table."""
    form = TagForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    results = TagResults(owner, query, owner.tags(query))
    if words := results.describe_unknown_group():
        form.add_error("tag_group_id", words)
        return problems.bad_parameters(request, form)
    if better := canonical_redirect(request, results.shared.profile_link):
        return redirect(better)
    is_page = request.headers.get("HX-Target") != "profile"
    return conditional_response(
        request,
        lambda: (is_page, _current_revision(owner, query)),
        lambda: _profile(request, results, form, is_page),
        (is_page, _revision(owner, query, results.page)),
    )


def _profile(request: HttpRequest, results: TagResults, form: TagForm, is_page: bool) -> HttpResponse:
    owner, query = results.owner, results.query
    context = {
        "title": results.title(),
        "misspelt": form.suggest_spellings(),
        "view": owner.link(query),
        "owner": owner,
        "given": parse_qsl(query.query_string()),
        "shared": results.shared.with_profile(results.page, MAX_DOTS if is_page else MAX_INLINE_DOTS),
        "is_page": is_page,
    }
    return render_page(request, "tags/profile" if is_page else "tags/_profile", context)


def show_tags(request: HttpRequest, owner: TagOwner, suffix: str) -> HttpResponseBase:
    form = TagForm(request.GET)
    if not form.is_valid():
        return _bad_parameters(request, owner, form)
    query = form.query()
    link = owner.link(query)
    try:
        if is_refresh(request):
            owner.tags(query, renew=True)
        if better := canonical_redirect(request, link):
            return redirect(better)
        page = owner.tags(query)
    except UpstreamError as error:
        return _failed(request, owner, form, error)
    results = TagResults(owner, query, page)
    if words := results.describe_unknown_group():
        form.add_error("tag_group_id", words)
        return _bad_parameters(request, owner, form)
    file_format = suffix or wanted_format(request)
    if file_format:
        address = request.build_absolute_uri(link)
        return export_response(request, tag_sheet(results, address, file_format), file_format)
    return _render_tags(request, results, form, link)


def _failed(request: HttpRequest, owner: TagOwner, form: TagForm, error: UpstreamError) -> HttpResponse:
    link = owner.link(form.query())
    if isinstance(error, WrongValue):
        upstream_problems.add_refusal(form, error)
        return _bad_parameters(request, owner, form)
    response = upstream_problems.upstream_error_page(request, error, link, about=owner.full_title)
    _push_canonical_url(request, response, link)
    return response


def _render_tags(request: HttpRequest, results: TagResults, form: TagForm, link: str) -> HttpResponse:
    owner, query = results.owner, results.query
    links = page_links_of(owner, query, link, results.page, results.shared.view_links)

    def make() -> HttpResponse:
        context = {
            "results": results,
            "page": results.page,
            "query": query,
            "shared": results.shared,
            "owner": owner,
            "title": results.title(),
            "view_links": links,
            "canonical": link,
            "across": results.shared.across(),
            "as_of": results.page.realtime_end,
            "no_total": NO_TOTAL,
            **owner.context(request),
        }
        if choose_layout(request) != RESULTS:
            context |= _above_results(form)
        name = "tags/embed" if is_embedded(request) else "tags/page"
        return render_page(request, name, context, fragment="tags/_results")

    # A browser adds the headers of a 304 to those that it has stored, so each header has an ETag of its own.
    step = _history_header(request, link)
    response = conditional_response(
        request, lambda: (step, _current_revision(owner, query)), make, (step, _revision(owner, query, results.page))
    )
    _push_canonical_url(request, response, link)
    steps = {key: to for key, _, to in results.steps if key in {"prev", "next"} and to}
    return view_links.add_link_header(response, links, steps)


def _above_results(form: TagForm) -> dict[str, object]:
    """Return the context of the inputs above the results, which a fragment does not have."""
    return {
        "fields": form.input_values(),
        "misspelt": form.suggest_spellings(),
        "columns": OPTIONAL_COLUMNS,
        "chosen_columns": form.cleaned_data.get("columns"),
    }


def _current_revision(owner: TagOwner, query: TagQuery) -> tuple[object, ...]:
    owner = owner.current()
    return _revision(owner, query, owner.tags(query))


def _revision(owner: TagOwner, query: TagQuery, page: TagPage) -> tuple[object, ...]:
    hidden = None if page.count else owner.count_without_words(query)
    copies = count_copies(owner.link(query, offset=0)) if owner.is_live else 0
    whole = owner.whole_set(query, page)
    return owner.revision(), whole and whole.freshness, hidden, page.freshness, copies


def _history_header(request: HttpRequest, link: str) -> tuple[str, str] | None:
    """Return the header that shows the canonical link; typing a search adds one step to the history."""
    htmx = htmx_of(request)
    if not htmx or htmx.history_restore_request:
        return None
    current = current_path_of(htmx)
    typing_on = htmx.trigger == "words" and "search_text=" in current
    return "HX-Replace-Url" if typing_on else "HX-Push-Url", "false" if current == link else link


def _push_canonical_url(request: HttpRequest, response: HttpResponse, link: str) -> None:
    if header := _history_header(request, link):
        response[header[0]] = header[1]
        # These headers of the request decide it.
        patch_vary_headers(response, ["HX-Trigger", "HX-Current-URL"])


def _bad_parameters(request: HttpRequest, owner: TagOwner, form: TagForm) -> HttpResponse:
    if is_file(request):
        return problems.bad_parameters(request, form)
    link = with_query(owner.path, form.query_string_as_given())
    # The inputs above the results send the others.
    given = {name: value for name, value in form.data.items() if name in form.fields and name not in ABOVE}
    context = {
        "owner": owner,
        "title": owner.full_title,
        "canonical": link,
        "invalid": list(form.errors),
        "errors": form.errors,
        "wrong": {name: value for name, value in given.items() if name in form.errors},
        "right": {name: value for name, value in given.items() if name not in form.errors},
        "labels": LABELS,
        **_above_results(form),
        **owner.context(request),
    }
    response = render_page(request, "tags/page", context, status=400, fragment="tags/_problem")
    patch_vary_headers(response, ["Accept"])
    _push_canonical_url(request, response, link)
    return response
