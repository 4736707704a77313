"""The search box and its suggestions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems
from econweb.dashboard.api_keys import remove_key
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rendering.response_head import fits
from econweb.dashboard.search.destinations import (
    destinations_of_kind,
    find_destinations,
    in_period,
    is_address,
    suggestions,
)

# Kind, label of its form, and an example.
LOOKUP_FORMS = (
    ("series", "Its id", "GNPCA"),
    ("category", "Its number or its name", "125"),
    ("release", "Its number or its name", "53"),
)
KINDS = {kind for kind, _, _ in LOOKUP_FORMS}


@require_safe
def search_box(request: HttpRequest) -> HttpResponse:
    """Redirect to what the text means, or list what it may mean."""
    text = " ".join(request.GET.get("q", "").split())
    if not text:
        return problems.error_page(request, problems.build_problem("empty_box"))
    kind = request.GET.get("kind")
    places = destinations_of_kind(kind, text) if kind in KINDS else find_destinations(text)
    places = in_period(places, request.GET)
    if not places:
        text = remove_key(text)
        return problems.error_page(request, problems.build_problem("no_match", text=text[:100]), q=text)
    # An address that is too long for a redirect is shown as a link, unless the query holds a key.
    if len(places) == 1 and (places[0].has_removed_key or fits(places[0].address)):
        # The meaning of an address is permanent. A browser should not cache a redirect from an address with a key.
        permanent = is_address(text) and not places[0].has_removed_key
        return redirect(places[0].address, permanent=permanent)
    return render_page(request, "search/choices", {"places": places, "q": remove_key(text)})


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    found = suggestions(request.GET.get("q", "")[:200], request.GET.get("kind", ""))
    return render_page(request, "search/_suggestions", {"places": in_period(found, request.GET)})
