"""The live view behind a saved one, shown under its title."""

from collections.abc import Iterator
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.utils.cache import get_conditional_response

from econweb.accounts.people import Person
from econweb.cacheable_response import CacheableResponse
from econweb.dashboard.entry_checks import describe_audience
from econweb.dashboard.page_links import append_query, url_path
from econweb.dashboard.rendering.etags import weak_etag
from econweb.dashboard.rendering.pages import is_embedded
from econweb.dashboard.rendering.response_head import ATOM, add_links, other_form
from econweb.dashboard.saved.results import link_of
from econweb.dashboard.sharing.pack import PACK, PACK_TYPE
from econweb.library.models import SavedView
from econweb.library.rights import may_edit, may_see
from econweb.library.saved_views import find, is_marked

# The ETag of the live view is not the one of the saved view, so only the latter is compared with these.
_CONDITIONS = {"HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE"}


def respond_to_all(request: HttpRequest, view: SavedView) -> HttpResponseBase:
    """Return the live view; what may be cached depends on the row of the saved view as well."""
    response = _ask_live_view(request, view)
    if not isinstance(response, CacheableResponse):
        return response
    # The cached response holds on to these, so they are small.
    slug, changed, is_still_valid = view.slug, view.changed, response.is_still_valid
    etag = weak_etag(response["ETag"], slug, changed)
    response["ETag"] = etag
    answer: Any = get_conditional_response(request, etag=etag, response=response)
    return CacheableResponse(answer, lambda: is_still_valid() and _is_current(slug, changed))


def respond_to_person(request: HttpRequest, view: SavedView, person: Person) -> HttpResponseBase:
    """Return the live view as a response that no cache stores, least of all the one in front of all people."""
    response = _ask_live_view(request, view, person)
    if not isinstance(response, CacheableResponse):
        return response
    private = HttpResponse(response.content, status=response.status_code, headers=response.headers)
    del private["ETag"]
    return private


def _ask_live_view(request: HttpRequest, view: SavedView, person: Person | None = None) -> HttpResponseBase:
    """Let the function of the live view answer a request of its own; the layout names the saved view above it.

    The page for everyone has no `person`: it names nobody, and is the same for all. The address of the saved view
    chooses the layout alone.
    """
    link = append_query(view.target, "embed=1") if is_embedded(request) else view.target
    path, _, query = link.partition("?")
    match = resolve(path)
    environ = {name: value for name, value in request.META.items() if name not in _CONDITIONS}
    inner: Any = WSGIRequest(environ | {"PATH_INFO": path, "QUERY_STRING": query})
    inner.resolver_match, inner.saved_view, inner.saved_by = match, view, view.person if person else ""
    inner.may_edit_saved_view, inner.saved_for = may_edit(view, person), describe_audience(view)
    inner.pack = f"{link_of(view).rstrip('/')}.{PACK}" if view.kind == "list" else ""
    inner.htmx = getattr(request, "htmx", None)
    response: HttpResponseBase = match.func(inner, *match.args, **match.kwargs)
    # The address bar keeps the address of the saved view.
    for name in ("HX-Push-Url", "HX-Replace-Url"):
        del response[name]
    add_links(response, _other_forms(view, inner.pack))
    return response


def _other_forms(view: SavedView, pack: str) -> Iterator[str]:
    """Yield the feed of the news and the pack of a saved view, as far as it has them."""
    if may_see(view, None):
        yield other_form(url_path("saved_feed", view.slug), ATOM)
    if pack:
        yield other_form(pack, PACK_TYPE)


def _is_current(slug: str, changed: object) -> bool:
    """Return whether the row is as it was, and says that the view was opened today: otherwise a page marks it."""
    view = find(slug)
    return view is not None and view.changed == changed and is_marked(view)
