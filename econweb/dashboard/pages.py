"""One template serves the page and the fragment that htmx asks for."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

from econweb.dashboard.template_words import html_of
from econweb.dashboard.vary import vary_on

PAGE, EMBED, MAIN, RESULTS = "base.html", "embed.html", "_main.html", "_results.html"
# When what is not all there yet may be asked for again, by a page or a program.
AGAIN_SECONDS = 2


def layout_of(request: HttpRequest) -> str:
    """How much is wanted: a page, what is between its head and foot, or the results of a tag page."""
    htmx = getattr(request, "htmx", None)
    if not htmx or htmx.history_restore_request:
        return EMBED if is_embedded(request) else PAGE
    return RESULTS if htmx.target == "results" else MAIN


def is_plain_form(request: HttpRequest) -> bool:
    """A form sent without JavaScript says every parameter; its reader is sent on to the short link."""
    return "form" in request.GET and not getattr(request, "htmx", None)


def wants_renewal(request: HttpRequest) -> bool:
    """The reader asks for a newer answer than the one that is kept; a look at the head alone does not."""
    return request.method == "GET" and request.GET.get("renew") == "1"


def is_embedded(request: HttpRequest) -> bool:
    """The table alone; which sites may frame it is said by the content policy."""
    return request.GET.get("embed") == "1"


def show(
    request: HttpRequest, name: str, context: Mapping[str, Any], status: int = 200, fragment: str = ""
) -> HttpResponse:
    """`name.html` fills the blocks of the layout; the fragment, if it has one, is a file of its own."""
    layout = layout_of(request)
    alone = fragment and layout == RESULTS
    template = f"{fragment if alone else name}.html"
    around = {"request": request, "layout": layout, "alone": alone, "framed": is_embedded(request)}
    # Else Django would look for the charset in the type, and then in the settings.
    response = HttpResponse(html_of(template, **context, **around), status=status, charset="utf-8")
    return of_one_address(response)


def of_one_address(response: HttpResponse) -> HttpResponse:
    """One address, several bodies: a cache in between must know, and so must the browser's Back."""
    vary_on(response, "HX-Request", "HX-Target", "HX-History-Restore-Request")
    return response
