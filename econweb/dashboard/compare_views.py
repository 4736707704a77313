"""Sources side by side: the tags of categories and releases, or the descriptions of series."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.addresses import path_of
from econweb.dashboard.compare_files import APPROXIMATE, series_comparison_sheet, tag_comparison_sheet
from econweb.dashboard.compare_query import LETTERS, CompareForm, CompareQuery
from econweb.dashboard.compare_series import field_by_field, word_by_word
from econweb.dashboard.compare_table import TagComparison
from econweb.dashboard.destinations import better_address
from econweb.dashboard.files import formats
from econweb.dashboard.forms import misspelt, unknown_group
from econweb.dashboard.pages import AGAIN_SECONDS, show
from econweb.dashboard.provenance import closed, series_link
from econweb.dashboard.sources import source_of
from econweb.dashboard.take_along import TakeAlong
from econweb.dashboard.views import series_page
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import SeriesPage, TagPage

# Who compares one source has not said with what.
FEWEST = 2
Page = TypeVar("Page", SeriesPage, TagPage)


@require_safe
@problems.shown
def compare(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = CompareForm(request.GET)
    if not form.is_valid():
        return _bad_parameters(request, form)
    query = form.query()
    if better := better_address(request, query.address(), form.held_key()):
        return redirect(better)
    suffix = suffix or formats.wanted_format(request)
    if len(query.sides) < FEWEST:
        return _too_few(request) if suffix else show(request, "compare", _about(query))
    if query.sides["a"].kind == "series":
        return _series(request, query, suffix)
    return _tags(request, form, suffix)


def _bad_parameters(request: HttpRequest, form: CompareForm) -> HttpResponse:
    asked = [(letter, form.data.get(letter, "")) for letter in LETTERS]
    return problems.bad_parameters(request, form, "_compare_form.html", sides_asked=asked)


def _too_few(request: HttpRequest) -> HttpResponse:
    """Who asked for a file gets no form."""
    words = "A comparison is of two sources at least."
    advice = "Name them in the address, such as ?a=category:125&b=release:51."
    return problems.page(request, problems.Problem(400, "Nothing to compare", words, advice))


def _tags(request: HttpRequest, form: CompareForm, suffix: str) -> HttpResponseBase:
    query = form.query()
    sources = {letter: source_of(side.kind, int(side.id)) for letter, side in query.sides.items()}
    asked = {
        letter: TagQuery(realtime_start=side.day, realtime_end=side.day)
        for letter, side in query.sides.items()
    }
    pages = _each(query, lambda letter: sources[letter].tags(asked[letter]))
    comparison = TagComparison(query, sources, pages)
    if words := unknown_group(query.tag_group_id, comparison.groups):
        form.add_error("tag_group_id", words)
        return _bad_parameters(request, form)
    if suffix:
        link = request.build_absolute_uri(query.address())
        return formats.answer(request, tag_comparison_sheet(comparison, link), suffix)
    sides = [
        (letter, source, pages[letter], source.link(asked[letter])) for letter, source in sources.items()
    ]
    context = _about(query) | {"comparison": comparison, "sides": sides, "note": APPROXIMATE}
    context["misspelt"] = misspelt(form.data, [*LETTERS, *form.fields])
    days = {letter: closed(page.realtime_start, page.realtime_end) for letter, page in pages.items()}
    steps = {key: link for key, _, link in comparison.steps()}
    return take_along.shown_with(request, "compare_tags", context, _links(query, days), steps)


def _series(request: HttpRequest, query: CompareQuery, suffix: str) -> HttpResponseBase:
    asked = {letter: SeriesQuery(side.id, side.day, side.day) for letter, side in query.sides.items()}
    pages = _each(query, lambda letter: series_page(asked[letter]))
    newest = [page.reply.seriess[-1] for page in pages.values()]
    rows = field_by_field(newest)
    if suffix:
        link = request.build_absolute_uri(query.address())
        return formats.answer(request, series_comparison_sheet(query, pages, rows, link), suffix)
    notes = [
        (before, after, word_by_word(older.notes or "", newer.notes or ""))
        for (before, older), (after, newer) in pairwise(zip(query.letters, newest, strict=True))
    ]
    sides = [(letter, query.sides[letter], pages[letter], series_link(one)) for letter, one in asked.items()]
    days = {
        letter: closed(page.reply.realtime_start, page.reply.realtime_end) for letter, page in pages.items()
    }
    context = _about(query) | {"rows": rows, "notes": notes, "sides": sides}
    return take_along.shown_with(request, "compare_series", context, _links(query, days), steps={})


def _each(query: CompareQuery, ask: Callable[[str], Page]) -> dict[str, Page]:
    """One after another, and none is begun late; what has come is kept, so the next try goes on behind it."""
    late = time.monotonic() + settings.ECON_TIMEOUT / 2
    pages: dict[str, Page] = {}
    for letter, side in query.sides.items():
        if pages and time.monotonic() >= late:
            words = f"{len(pages)} of {len(query.sides)} sources are loaded, and they are kept."
            raise Busy(words, AGAIN_SECONDS)
        try:
            pages[letter] = ask(letter)
        except (NotFound, Refused, BadReply) as error:
            raise type(error)(f"{side.title}: {problems.words_of(error)}") from None
    return pages


def _links(query: CompareQuery, days: Mapping[str, date]) -> TakeAlong:
    """Pinned, each source stands on a day of its own."""
    sides = {letter: replace(side, day=days[letter]) for letter, side in query.sides.items()}
    fixed = replace(query, sides=sides)
    return take_along.of_view(path_of("compare"), query.link(), "" if fixed == query else fixed.address())


def _about(query: CompareQuery) -> dict[str, object]:
    """What the form shows: a field for each source, and empty ones for more."""
    asked = [(letter, str(query.sides.get(letter, ""))) for letter in LETTERS]
    return {"query": query, "sides_asked": asked, "canonical": query.address()}
