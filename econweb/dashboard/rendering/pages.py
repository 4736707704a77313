"""Render a template as a page, as an embedded page or as a fragment for htmx."""

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from econweb.dashboard.rendering.jinja import render
from econweb.dashboard.rendering.response_head import add_links

PAGE, EMBED, MAIN, RESULTS = (
    "layouts/page.html",
    "layouts/embed.html",
    "layouts/_main_fragment.html",
    "layouts/_results_fragment.html",
)
# The headers of a request that choose the layout, named for caches and for the Back button of browsers.
LAYOUT_HEADERS = ("HX-Request", "HX-Target", "HX-History-Restore-Request")
# Seconds after which a page or program may ask again for a list that is still loading.
RELOAD_SECONDS = 2
# Neither HTML nor a terminal has a place for them.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def htmx_of(request: HttpRequest) -> HtmxDetails | None:
    """Return the details of a request by htmx, or None; an early error page has no details yet."""
    details: HtmxDetails | None = getattr(request, "htmx", None)
    return details or None


def current_path_of(htmx: HtmxDetails) -> str:
    """Return the path and query of the page that sent the request; empty if it is of another site."""
    try:
        return htmx.current_url_abs_path or ""
    except ValueError:
        # Browsers send a valid URL; anything else counts as none.
        return ""


def choose_layout(request: HttpRequest) -> str:
    """Return the layout that the request wants: page, embedded page, main part or results."""
    htmx = htmx_of(request)
    if not htmx or htmx.history_restore_request:
        return EMBED if is_embedded(request) else PAGE
    return RESULTS if htmx.target == "results" else MAIN


def is_plain_form(request: HttpRequest) -> bool:
    """Return whether a form was sent without JavaScript: it names every parameter, so it is redirected."""
    return "form" in request.GET and not htmx_of(request)


def is_refresh(request: HttpRequest) -> bool:
    """Return whether the user asks for a newer answer than the cached one; HEAD requests never do."""
    return request.method == "GET" and request.GET.get("renew") == "1"


def is_embedded(request: HttpRequest) -> bool:
    """Return whether only the table is wanted; the content security policy names the sites that may frame it."""
    return request.GET.get("embed") == "1"


def render_page(
    request: HttpRequest, name: str, context: Mapping[str, Any], status: int = 200, fragment: str = ""
) -> HttpResponse:
    """Render `name.html` into the layout, or `fragment.html` alone when only the results are wanted.

    The head names the `other_forms` of the context.
    """
    layout = choose_layout(request)
    alone = fragment and layout == RESULTS
    template = f"{fragment if alone else name}.html"
    around = {"request": request, "layout": layout, "alone": alone, "framed": is_embedded(request)}
    text = render(template, **context, **around)
    # Only an error repeats a value that was refused.
    content = text if status < 400 else replace_controls(text)
    # Without it Django looks for the charset in the content type and the settings.
    response = HttpResponse(content, status=status, charset="utf-8")
    if other_forms := context.get("other_forms"):
        add_links(response, other_forms)
    patch_vary_headers(response, LAYOUT_HEADERS)
    return response


def replace_controls(text: str) -> str:
    """Return the text with a sign that people see and can remove in the place of each control character."""
    return _CONTROLS.sub("\ufffd", text)


def render_search_page(request: HttpRequest, folder: str, context: Mapping[str, Any]) -> HttpResponse:
    """Render a page whose words narrow its list, or the list alone when only the results are wanted."""
    response = render_page(request, f"{folder}/page", context, fragment=f"{folder}/_results")
    if choose_layout(request) == RESULTS:
        # The words of the box change the link, and make no step of the history.
        response["HX-Replace-Url"] = context["canonical"]
    return response
