"""The search box and its suggestions."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems
from econweb.dashboard.api_keys import remove_key
from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rendering.response_head import fits
from econweb.dashboard.search_box.addresses import is_address, parse_other_site
from econweb.dashboard.search_box.destinations import (
    chosen_destination,
    find_with_others,
    is_misspelt,
    is_named,
    near_destinations,
    series_with_words,
)
from econweb.dashboard.search_box.marks import mark_matches
from econweb.dashboard.search_box.pages import Destination, in_period
from econweb.dashboard.search_box.suggestions import first_row, option_groups, results_page, words_page
from econweb.upstream.queries import TAG_OWNERS

KINDS = ("series", *TAG_OWNERS)
# As many characters as the box takes, and the results that one page lists.
MAX_TYPED, MAX_RESULTS = 2000, 100


@require_safe
def search_box(request: HttpRequest) -> HttpResponse:
    """Redirect to what the text means, or list what it may mean."""
    text = request.GET.get("q", "").strip()
    if not text:
        return problems.error_response(request, "empty_box")
    places = in_period(find_with_others(text, _kind(request)), request.GET)
    if better := _link_of_words(request, text, places):
        return redirect(better)
    if not places or is_misspelt(text, places):
        return _no_match(request, remove_key(" ".join(text.split())), places)
    place = chosen_destination(text, places)
    # An address that is too long for a redirect is shown as a link, unless the query holds a key.
    if place and (place.has_removed_key or fits(place.link_with_notice)):
        # The meaning of an address is permanent. A browser should not cache a redirect from an address with a key.
        return redirect(place.link_with_notice, permanent=is_address(text) and not place.has_removed_key)
    return _results(request, remove_key(" ".join(text.split())), places)


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    """Render the suggestions of a combobox; `fill` leaves those that a field can take."""
    text, kind = request.GET.get("q", "").strip()[:MAX_TYPED], _kind(request)
    places = in_period(find_with_others(text, kind), request.GET) if text else []
    first = None
    series = in_period(series_with_words(text, places), request.GET) if text and kind not in TAG_OWNERS else []
    if text and "fill" not in request.GET:
        results = in_period([results_page(remove_key(text), kind)], request.GET)[0]
        first = first_row(remove_key(text), places, results, bool(series) and not is_named(text, places))
    groups = option_groups(text, [*places, *series], first.link if first else "")
    return render_page(request, "search_box/_suggestions", {"first": first, "groups": groups, "has_text": bool(text)})


def _link_of_words(request: HttpRequest, text: str, places: Sequence[Destination]) -> str:
    """Return the search of series for words that name no page; empty where no title has them."""
    if _kind(request) in TAG_OWNERS or is_named(text, places) or not series_with_words(text, []):
        return ""
    link = words_page(remove_key(text)).link
    return link if fits(link) else ""


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in KINDS else ""


def _results(request: HttpRequest, q: str, places: Sequence[Destination]) -> HttpResponse:
    found = [place for place in places if not place.is_guess]
    rows = [(place, mark_matches(place.name, q)) for place in found[:MAX_RESULTS]]
    guesses = [place for place in places if place.is_guess]
    words = words_page(q) if any(place.kind == "series" for place in found) else None
    context = {"rows": rows, "total": len(found), "guesses": guesses, "q": q, "all_series": words}
    return render_page(request, "search_box/choices", context)


def _no_match(request: HttpRequest, text: str, guesses: Sequence[Destination]) -> HttpResponse:
    host, words = parse_other_site(text, request.get_host())
    near = in_period(near_destinations(words or text), request.GET)
    untried = [place for place in guesses if look_up(place.id).exists is None]
    problem = problems.build_problem("other_site" if host else "no_match", text=text[:100], host=host)
    return problems.error_page(
        request, problem, q=text, filled="search_box/_near.html" if near else "", near=near, guesses=untried
    )
