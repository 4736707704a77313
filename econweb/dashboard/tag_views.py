"""The tag pages of a category and of a release: one code, two addresses."""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.destinations import better_address
from econweb.dashboard.files import formats
from econweb.dashboard.forms import TagFilters
from econweb.dashboard.pages import is_embedded, layout_of, of_one_address, show
from econweb.dashboard.previews import tags_in_words
from econweb.dashboard.sources import Source, source_of
from econweb.dashboard.tag_files import tag_sheet
from econweb.dashboard.tag_results import TagResults
from econweb.upstream.errors import UpstreamError
from econweb.upstream.queries import TAG_GROUPS, TagQuery
from econweb.upstream.records import TagPage

# These have a field of their own above the table, whatever is wrong.
ALWAYS_SHOWN = {"search_text", "realtime_start", "realtime_end"}


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


def _tags(request: HttpRequest, source: Source, suffix: str) -> HttpResponseBase:
    form = TagFilters(request.GET)
    if not form.is_valid():
        return _bad_parameters(request, source, form)
    query = form.query()
    if better := better_address(request, source.link(query)):
        return redirect(better)
    try:
        page = source.tags(query)
    except UpstreamError as error:
        response = problems.of_service(request, error, source.link(query))
        _say_address(request, response, source.link(query))
        return response
    if _is_no_group(query, page):
        form.add_error("tag_group_id", f"tag_group_id is one of {', '.join(TAG_GROUPS | page.group_counts)}.")
        return _bad_parameters(request, source, form)
    results = TagResults(source, query, page)
    if suffix := suffix or formats.wanted_format(request):
        return formats.answer(tag_sheet(results, request.build_absolute_uri(source.link(query))), suffix)
    return _answer(request, results, form)


def _is_no_group(query: TagQuery, page: TagPage) -> bool:
    """A search may hide every tag of a group that exists, so it is not held against the group."""
    known = query.tag_group_id in TAG_GROUPS or query.tag_group_id in page.group_counts
    return bool(query.tag_group_id) and not known and not query.search_text


def _answer(request: HttpRequest, results: TagResults, form: TagFilters) -> HttpResponse:
    link = results.source.link(results.query)
    links = take_along.of_tags(results.source, results.query, results.page)
    etag = _etag(layout_of(request), results, "notice" in request.GET)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        context = {
            "results": results,
            "source": results.source,
            "title": results.title(),
            "take": links,
            "preview": tags_in_words(results),
            "canonical": link,
            "fields": form.fields_shown(),
            "key_dropped": "notice" in request.GET,
        }
        name = "tags_embed" if is_embedded(request) else "tags"
        response = show(request, name, context, fragment="_tag_results")
    of_one_address(response)
    response["ETag"] = etag
    response.still_true = _still_true(request, results, etag)  # type: ignore[attr-defined]
    response["Link"] = ", ".join(
        f'<{target}>; rel="{key[:4]}"'
        for key, _, target in results.pages()
        if key in {"previous", "next"} and target
    )
    _say_address(request, response, link)
    return take_along.announced(response, links)


def _still_true(request: HttpRequest, results: TagResults, etag: str) -> Callable[[], bool]:
    """Whether the same link would be answered with the same bytes now; it lives long, so it holds little."""
    layout, query = layout_of(request), results.query
    said, embedded = "notice" in request.GET, is_embedded(request)
    kind, number = results.source.kind, results.source.number

    def still_true() -> bool:
        source = source_of(kind, number)
        return etag == _etag(layout, TagResults(source, query, source.tags(query)), said, embedded)

    return still_true


def _say_address(request: HttpRequest, response: HttpResponse, link: str) -> None:
    """The address bar holds the canonical link; a search is one step of the history, however many keys."""
    htmx = request.htmx  # type: ignore[attr-defined]
    if not htmx or htmx.history_restore_request:
        return
    # What is read here changes a header of the answer.
    patch_vary_headers(response, ["HX-Trigger", "HX-Current-URL"])
    current = htmx.current_url_abs_path or ""
    typing_on = htmx.trigger == "words" and "search_text=" in current
    response["HX-Replace-Url" if typing_on else "HX-Push-Url"] = "false" if current == link else link


def _bad_parameters(request: HttpRequest, source: Source, form: TagFilters) -> HttpResponse:
    if formats.is_file(request):
        return problems.bad_parameters(request, form)
    given = {name: value for name, value in form.data.items() if name in form.fields}
    context = {
        "source": source,
        "title": source.title,
        "canonical": source.path,
        "fields": given,
        "invalid": list(form.errors),
        "errors": [str(message) for messages in form.errors.values() for message in messages],
        "wrong": {
            name: value for name, value in given.items() if name in form.errors and name not in ALWAYS_SHOWN
        },
        "right": {
            name: value
            for name, value in given.items()
            if name not in form.errors and name not in ALWAYS_SHOWN
        },
    }
    return show(request, "tags", context, status=400, fragment="_tag_problem")


def _etag(layout: str, results: TagResults, *more: object) -> str:
    """From what determines the bytes, so that an unchanged page is known before it is made."""
    kept, source = results.page.kept, results.source
    link = source.link(results.query)
    said = (_edition(), layout, link, kept.fetched, kept.stale, kept.trouble, source.name, source.note, *more)
    return f'W/"{blake2b(repr(said).encode(), digest_size=12).hexdigest()}"'


@cache
def _edition() -> str:
    """The state of the program itself: a new release makes new pages of old data."""
    digest = blake2b(digest_size=8)
    for folder in (settings.BASE_DIR / "templates", settings.BASE_DIR / "static", Path(__file__).parent):
        for path in sorted(folder.rglob("*.*")):
            digest.update(f"{path.name} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()
