"""The search box and its suggestions."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard.error_pages import problems
from econweb.dashboard.lookup.found_series import FoundSeries
from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.rendering.response_head import is_short_enough
from econweb.dashboard.search_box.addresses import is_address, parse_unknown_address
from econweb.dashboard.search_box.destination import CONTENTS, Destination, content_of, in_period
from econweb.dashboard.search_box.find import (
    choose_destination,
    find_destinations,
    find_named_in_address,
    find_near_destinations,
    find_series_with_words,
    find_tags_with_words,
    find_with_others,
    is_known,
    is_misspelt,
    may_exist,
    means_words,
)
from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.dashboard.search_box.id_lists import drop_marks
from econweb.dashboard.search_box.own_pages import find_own_page
from econweb.dashboard.search_box.suggestions import (
    first_row,
    option_groups,
    results_destination,
    series_search_destination,
)
from econweb.redaction import remove_pasted_key
from econweb.search_index.titles.find import TitleQuery
from econweb.upstream.queries import TAG_OWNERS

KINDS = ("series", *TAG_OWNERS)
# As many characters as suggestions are found for, and the results that one page lists.
MAX_TYPED, MAX_RESULTS = 2000, 100


@require_safe
def search_box(request: HttpRequest) -> HttpResponse:
    """Redirect to what the text means, or list what it may mean."""
    text = drop_marks(request.GET.get("q", ""))
    if not text:
        return problems.error_response(request, "empty_box")
    destinations = _find(request, text)
    if better := _link_of_words(request, text, destinations):
        return redirect(better)
    if not destinations or is_misspelt(text, destinations):
        return _no_match(request, remove_pasted_key(" ".join(text.split())), destinations)
    destination = choose_destination(text, destinations)
    # An address that is too long for a redirect is shown as a link, unless the query holds a key.
    if destination and (destination.has_removed_key or is_short_enough(destination.link_with_notice)):
        # The meaning of an address is permanent. A browser should not cache a redirect from an address with a key.
        return redirect(destination.link_with_notice, permanent=is_address(text) and not destination.has_removed_key)
    return _results(request, remove_pasted_key(" ".join(text.split())), destinations)


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    """Render the suggestions of a combobox; `fill` leaves those that a field can take.

    `beside` leaves those that can be compared with a source: its content, or its text where no page has read it yet.
    """
    text, kind = drop_marks(request.GET.get("q", ""))[:MAX_TYPED], _kind(request)
    fills = "fill" in request.GET
    destinations = _find(request, text) if text else []
    if fills:
        destinations = [one for one in destinations if one.kind != "tag"]
    first = None
    beside = _content_of_source(request.GET.get("beside", "")[:MAX_TYPED])
    series = find_series_with_words(text) if text and kind not in TAG_OWNERS and beside in {"", "series"} else []
    tags = find_tags_with_words(text) if text and not kind and not fills else []
    links = {one.link for one in destinations}
    others = [one for one in in_period([*series, *tags], request.GET) if one.link not in links]
    if text and not fills:
        results = in_period([results_destination(remove_pasted_key(text), kind)], request.GET)[0]
        first = first_row(remove_pasted_key(text), destinations, results, means_words(text, destinations, series))
    if series:
        destinations = [one for one in destinations if may_exist(one)]
    offered = [one for one in [*destinations, *others] if not beside or content_of(one.kind) == beside]
    groups = option_groups(text, offered, first.link if first else "")
    return render_page(request, "search_box/_suggestions", {"first": first, "groups": groups, "has_text": bool(text)})


def _find(request: HttpRequest, text: str) -> list[Destination]:
    """Return the pages that the text may mean; a page of this site by its address or id where nothing else is known."""
    destinations = find_with_others(text, _kind(request))
    is_open = not _kind(request) and not any(is_known(one) for one in destinations)
    page = find_own_page(text, request.get_host()) if is_open else None
    return [page] if page else in_period(destinations, request.GET)


def _content_of_source(text: str) -> str:
    """Return what the source of a comparison is; empty where that is not clear."""
    if text in CONTENTS:
        return text
    contents = {content_of(one.kind) for one in find_destinations(text.partition("@")[0]) if one.kind}
    return contents.pop() if len(contents) == 1 else ""


def _link_of_words(request: HttpRequest, text: str, destinations: Sequence[Destination]) -> str:
    """Return the search of series for words that name no page; empty where no title has them."""
    if _kind(request) in TAG_OWNERS or not means_words(text, destinations, find_series_with_words(text)):
        return ""
    link = series_search_destination(remove_pasted_key(text)).link
    return link if is_short_enough(link) else ""


def _kind(request: HttpRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in KINDS else ""


def _results(request: HttpRequest, q: str, destinations: Sequence[Destination]) -> HttpResponse:
    found = [one for one in destinations if not one.is_guess]
    links = {one.link for one in found}
    found += [] if _kind(request) else [tag for tag in find_tags_with_words(q) if tag.link not in links]
    rows = [(one, highlight_matches(one.name, q)) for one in found[:MAX_RESULTS]]
    guesses = [one for one in destinations if one.is_guess]
    words = series_search_destination(q) if any(one.kind == "series" for one in found) else None
    context = {"rows": rows, "total": len(found), "guesses": guesses, "q": q, "all_series": words}
    return render_page(request, "search_box/choices", context)


def _no_match(request: HttpRequest, text: str, guesses: Sequence[Destination]) -> HttpResponse:
    if is_address(text):
        code, host, words = parse_unknown_address(text, request.get_host())
        near = find_named_in_address(words)
    else:
        code, host, words, near = "no_match", "", text, find_near_destinations(text)
    fewer = [] if _kind(request) in TAG_OWNERS else _find_with_fewer_words(words)
    return problems.error_page(
        request,
        problems.build_problem(code, text=text[:100], host=host),
        q=text,
        filled="search_box/_near.html" if near or fewer else "",
        near=in_period(near, request.GET),
        fewer_words=fewer,
        guesses=[one for one in guesses if look_up(one.id).exists is None],
    )


def _find_with_fewer_words(text: str) -> list[tuple[str, FoundSeries]]:
    """Return the searches of series with one word less, each with its link."""
    fewer = FoundSeries(TitleQuery(text)).with_fewer_words()
    return [(series_search_destination(one.query.text).link, one) for one in fewer]
