"""The tag pages of a category and of a release: one code, two addresses."""

from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.destinations import address_without_pasted_key, better_address
from econweb.dashboard.dots import FEW_DOTS, MOST_DOTS
from econweb.dashboard.etags import answer_once
from econweb.dashboard.files import formats
from econweb.dashboard.forms import ABOVE_RESULTS, TagFilters, misspelt, unknown_group
from econweb.dashboard.pages import RESULTS, is_embedded, layout_of, show, wants_renewal
from econweb.dashboard.provenance import with_words
from econweb.dashboard.sources import Source, source_of
from econweb.dashboard.tag_files import tag_sheet
from econweb.dashboard.tag_results import TagResults
from econweb.dashboard.vary import vary_on
from econweb.upstream.errors import UpstreamError
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage


@require_safe
def category_tags(request: HttpRequest, category_id: int, suffix: str = "") -> HttpResponseBase:
    return _tags(request, source_of("category", category_id), suffix)


@require_safe
def release_tags(request: HttpRequest, release_id: int, suffix: str = "") -> HttpResponseBase:
    return _tags(request, source_of("release", release_id), suffix)


@require_safe
@problems.shown
def names(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """Every name of the source, to complete what is typed."""
    return show(request, "_tag_names", {"names": Source(kind, number).tags(TagQuery()).names})


@require_safe
@problems.shown
def profile(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """The pictures of a view: a page of its own, and what is loaded below a long table."""
    form = TagFilters(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    source, query = source_of(kind, number), form.query()
    results = TagResults(source, query, source.tags(query))
    _check_group(form, results)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    if better := better_address(request, results.frame.profile_link):
        return redirect(better)
    by_itself = request.headers.get("HX-Target") != "profile"

    def facts_now() -> object:
        named = source_of(kind, number)
        return by_itself, _facts(named, query, named.tags(query))

    facts = by_itself, _facts(source, query, results.page)
    return answer_once(request, facts, facts_now, lambda: _profile(request, results, form, by_itself))


def _profile(request: HttpRequest, results: TagResults, form: TagFilters, by_itself: bool) -> HttpResponse:
    source, query = results.source, results.query
    context = {
        "title": results.title(),
        "misspelt": misspelt(form.data, TagFilters.base_fields),
        "view": source.link(query),
        "source": source,
        "given": parse_qsl(query.link()),
        "frame": results.frame.with_profile(results.page, MOST_DOTS if by_itself else FEW_DOTS),
        "by_itself": by_itself,
    }
    return show(request, "tag_profile" if by_itself else "_tag_profile", context)


def _tags(request: HttpRequest, source: Source, suffix: str) -> HttpResponseBase:
    form = TagFilters(request.GET)
    if not form.is_valid():
        return _bad_parameters(request, source, form)
    query = form.query()
    try:
        if wants_renewal(request):
            source.tags(query, renew=True)
        if better := better_address(request, source.link(query)):
            return redirect(better)
        page = source.tags(query)
    except UpstreamError as error:
        response = problems.of_service(request, error, source.link(query), about=source.full_title)
        _say_address(request, response, source.link(query))
        return response
    results = TagResults(source, query, page)
    _check_group(form, results)
    if not form.is_valid():
        return _bad_parameters(request, source, form)
    if suffix := suffix or formats.wanted_format(request):
        link = request.build_absolute_uri(source.link(query))
        return formats.answer(request, tag_sheet(results, link), suffix)
    return _answer(request, results, form)


def _check_group(form: TagFilters, results: TagResults) -> None:
    """A search may hide every tag of a group that exists, so it is not held against the group."""
    query = results.query
    if not query.search_text and (words := unknown_group(query.tag_group_id, results.page.group_counts)):
        form.add_error("tag_group_id", words)


def _answer(request: HttpRequest, results: TagResults, form: TagFilters) -> HttpResponse:
    source, query = results.source, results.query
    link, links = source.link(query), take_along.of_tags(source, query, results.page, results.frame.export)
    kind, number = source.kind, source.number

    def facts_now() -> object:
        named = source_of(kind, number)
        return _facts(named, query, named.tags(query))

    def make() -> HttpResponse:
        context = {
            "results": results,
            "source": source,
            "title": results.title(),
            "take": links,
            "canonical": link,
        }
        if layout_of(request) != RESULTS:
            context |= _above_results(form)
        name = "tags_embed" if is_embedded(request) else "tags"
        return show(request, name, context, fragment="_tag_results")

    response = answer_once(request, _facts(source, query, results.page), facts_now, make)
    _say_address(request, response, link)
    steps = {key: to for key, _, to in results.pages if key in {"prev", "next"} and to}
    return take_along.announced(response, links, steps)


def _above_results(form: TagFilters) -> dict[str, object]:
    """What stands above the results, which a fragment goes without."""
    return {"fields": form.fields_shown(), "misspelt": misspelt(form.data, TagFilters.base_fields)}


def _facts(source: Source, query: TagQuery, page: TagPage) -> tuple[object, ...]:
    hidden = None if page.count else source.count_without_words(query)
    return source.name, source.note, source.hidden_groups(query), hidden, page.kept


def _say_address(request: HttpRequest, response: HttpResponse, link: str) -> None:
    """The address bar holds the canonical link; a search is one step of the history, however many keys."""
    htmx = request.htmx  # type: ignore[attr-defined]
    if not htmx or htmx.history_restore_request:
        return
    # What is read here changes a header of the answer.
    vary_on(response, "HX-Trigger", "HX-Current-URL")
    current = htmx.current_url_abs_path or ""
    typing_on = htmx.trigger == "words" and "search_text=" in current
    response["HX-Replace-Url" if typing_on else "HX-Push-Url"] = "false" if current == link else link


def _bad_parameters(request: HttpRequest, source: Source, form: TagFilters) -> HttpResponse:
    if formats.is_file(request):
        return problems.bad_parameters(request, form)
    if better := address_without_pasted_key(request):
        return redirect(better)
    link = with_words(source.path, form.link_as_given())
    given = {name: value for name, value in form.data.items() if name in form.fields}
    context = {
        "source": source,
        "title": source.full_title,
        "canonical": link,
        "invalid": list(form.errors),
        "errors": [str(message) for messages in form.errors.values() for message in messages],
        "wrong": {
            name: value for name, value in given.items() if name in form.errors and name not in ABOVE_RESULTS
        },
        "right": {
            name: value
            for name, value in given.items()
            if name not in form.errors and name not in ABOVE_RESULTS
        },
        **_above_results(form),
    }
    response = show(request, "tags", context, status=400, fragment="_tag_problem")
    _say_address(request, response, link)
    return response
