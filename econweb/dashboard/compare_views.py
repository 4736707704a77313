"""Sources side by side: the tags of categories and releases, or the descriptions of series."""

from itertools import pairwise

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.compare_files import APPROXIMATE, series_comparison_sheet, tag_comparison_sheet
from econweb.dashboard.compare_query import LETTERS, CompareForm, CompareQuery, Side
from econweb.dashboard.compare_series import field_by_field, word_by_word
from econweb.dashboard.compare_table import TagComparison
from econweb.dashboard.destinations import better_address
from econweb.dashboard.files import formats
from econweb.dashboard.pages import show
from econweb.dashboard.provenance import series_link, with_words
from econweb.dashboard.sources import Source, source_of
from econweb.dashboard.views import series_page
from econweb.upstream.errors import NotFound
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import SeriesPage, TagPage

# Who compares one source has not said with what.
FEWEST = 2


@require_safe
@problems.shown
def compare(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = CompareForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    link = with_words(reverse("compare"), query.link())
    if better := better_address(request, link):
        return redirect(better)
    if len(query.sides) < FEWEST:
        return show(request, "compare", {"query": query, "sides_asked": _asked_for(query), "canonical": link})
    suffix = suffix or formats.wanted_format(request)
    absolute = request.build_absolute_uri(link)
    if query.sides["a"].kind == "series":
        return _series(request, query, absolute, suffix)
    return _tags(request, query, absolute, suffix)


def _tags(request: HttpRequest, query: CompareQuery, link: str, suffix: str) -> HttpResponseBase:
    sources = {letter: source_of(side.kind, int(side.id)) for letter, side in query.sides.items()}
    pages = {letter: _tags_of(source, query.sides[letter]) for letter, source in sources.items()}
    comparison = TagComparison(query, sources, pages)
    if suffix:
        return formats.answer(tag_comparison_sheet(comparison, link), suffix)
    sides = [
        (letter, source, pages[letter], source.link(_asked(query.sides[letter])))
        for letter, source in sources.items()
    ]
    return _page(request, query, "compare_tags", {"comparison": comparison, "sides": sides})


def _series(request: HttpRequest, query: CompareQuery, link: str, suffix: str) -> HttpResponseBase:
    asked = {letter: SeriesQuery(side.id, side.day, side.day) for letter, side in query.sides.items()}
    pages = {letter: _series_of(query.sides[letter], one) for letter, one in asked.items()}
    newest = [page.reply.seriess[-1] for page in pages.values()]
    rows = field_by_field(newest)
    if suffix:
        return formats.answer(series_comparison_sheet(query, pages, rows, link), suffix)
    steps = [
        (before, after, word_by_word(older.notes or "", newer.notes or ""))
        for (before, older), (after, newer) in pairwise(zip(query.letters, newest, strict=True))
    ]
    sides = [(letter, query.sides[letter], pages[letter], series_link(one)) for letter, one in asked.items()]
    return _page(request, query, "compare_series", {"rows": rows, "steps": steps, "sides": sides})


def _page(request: HttpRequest, query: CompareQuery, name: str, more: dict[str, object]) -> HttpResponse:
    words = query.link()
    links = take_along.of_files(reverse("compare").rstrip("/"), words)
    context = {
        "query": query,
        "sides_asked": _asked_for(query),
        "canonical": with_words(reverse("compare"), words),
        "files": links,
        "note": APPROXIMATE,
        **more,
    }
    return take_along.announced(show(request, name, context), links)


def _asked_for(query: CompareQuery) -> list[tuple[str, str]]:
    """A field for each source, and empty ones for more."""
    return [(letter, str(query.sides.get(letter, ""))) for letter in LETTERS]


def _asked(side: Side) -> TagQuery:
    return TagQuery(realtime_start=side.day, realtime_end=side.day)


def _tags_of(source: Source, side: Side) -> TagPage:
    try:
        return source.tags(_asked(side))
    except NotFound as error:
        raise NotFound(f"{side}: {error}") from None


def _series_of(side: Side, query: SeriesQuery) -> SeriesPage:
    try:
        return series_page(query)
    except NotFound as error:
        raise NotFound(f"{side}: {error}") from None
