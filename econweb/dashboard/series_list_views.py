"""A list of series in one table: pasted in any form, loaded as the allowance lets, and looked over."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.destinations import better_address
from econweb.dashboard.files import formats
from econweb.dashboard.lint import lint
from econweb.dashboard.pages import show
from econweb.dashboard.provenance import today, with_words
from econweb.dashboard.series_list import SeriesList, load
from econweb.dashboard.series_list_files import series_list_sheet
from econweb.dashboard.series_list_query import COLUMN_CHOICES, SeriesListForm
from econweb.dashboard.series_list_table import Table
from econweb.upstream.errors import Busy, NotFound

# A page asks again so soon, and a program is told to.
AGAIN_SECONDS = 2


@require_safe
@problems.shown
def series_list(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = SeriesListForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    link = with_words(reverse("series_list"), query.link() if query.ids else "")
    if better := better_address(request, link):
        return redirect(better)
    found = load(query)
    if suffix := suffix or formats.wanted_format(request):
        return _file(found, request.build_absolute_uri(link), suffix)
    return _page(request, form, found, link)


def _file(found: SeriesList, link: str, suffix: str) -> HttpResponseBase:
    """A file is whole or it is none: a program comes again until everything is there."""
    if found.waiting:
        words = f"{found.loaded} of {len(found.listed)} series are loaded."
        raise Busy(f"{words} {found.pause}".strip(), AGAIN_SECONDS)
    if not found.found:
        raise NotFound("None of these series can be had.")
    return formats.answer(series_list_sheet(found, link, suffix), suffix)


def _page(request: HttpRequest, form: SeriesListForm, found: SeriesList, link: str) -> HttpResponse:
    query = found.query
    words = query.link() if query.ids else ""
    links = take_along.of_files(reverse("series_list").rstrip("/"), words) if found.found else None
    context = {
        "list": found,
        "refused": form.refused,
        "findings": lint(found.found, min(query.realtime_end or today(), today())),
        "table": Table(found),
        "choices": COLUMN_CHOICES,
        "canonical": link,
        "files": links,
        "again_seconds": AGAIN_SECONDS,
    }
    htmx = getattr(request, "htmx", None)
    response = show(request, "_series_list" if htmx and htmx.target == "list" else "series_list", context)
    if links:
        take_along.announced(response, links)
    return response
