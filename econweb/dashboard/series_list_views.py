"""A list of series in one table: pasted in any form, loaded as the allowance lets, and looked over."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.addresses import path_of
from econweb.dashboard.destinations import better_address
from econweb.dashboard.fields import name_of
from econweb.dashboard.files import formats
from econweb.dashboard.forms import misspelt
from econweb.dashboard.lint import lint
from econweb.dashboard.pages import AGAIN_SECONDS, show
from econweb.dashboard.provenance import pinned, today
from econweb.dashboard.series_list import SeriesList, load
from econweb.dashboard.series_list_files import series_list_sheet
from econweb.dashboard.series_list_query import COLUMN_CHOICES, DEFAULT_COLUMNS, MOST_IDS, SeriesListForm
from econweb.dashboard.series_list_table import Table
from econweb.upstream.errors import Busy, NotFound


@require_safe
@problems.shown
def series_list(request: HttpRequest, suffix: str = "") -> HttpResponseBase:
    form = SeriesListForm(request.GET)
    if not form.is_valid():
        return problems.bad_parameters(request, form, "_series_list_form.html", **_asked(form))
    query = form.query()
    if better := better_address(request, query.address()):
        return redirect(better)
    found = load(query)
    if suffix := suffix or formats.wanted_format(request):
        return _file(request, found, suffix)
    return _page(request, form, found)


def _file(request: HttpRequest, found: SeriesList, suffix: str) -> HttpResponseBase:
    """A file is whole or it is none: a program comes again until everything is there."""
    if found.waiting:
        words = f"{found.loaded} of {len(found.listed)} series are loaded."
        raise Busy(f"{words} {found.pause}".strip(), AGAIN_SECONDS)
    if not found.found:
        raise NotFound("None of these series can be had.")
    link = request.build_absolute_uri(found.query.address())
    return formats.answer(request, series_list_sheet(found, link, suffix), suffix)


def _page(request: HttpRequest, form: SeriesListForm, found: SeriesList) -> HttpResponse:
    query = found.query
    context = {
        "list": found,
        "refused": form.refused,
        "findings": lint(found.found, min(query.realtime_end or today(), today())),
        "table": Table(found),
        "canonical": query.address(),
        "again_seconds": AGAIN_SECONDS,
        **_asked(form),
    }
    htmx = getattr(request, "htmx", None)
    name = "_series_list" if htmx and htmx.target == "list" else "series_list"
    if not found.found:
        return show(request, name, context)
    fixed = pinned(query, *found.period())
    links = take_along.of_view(
        path_of("series_list"), query.link(), "" if fixed == query else fixed.address()
    )
    return take_along.shown_with(request, name, context, links, steps={})


def _asked(form: SeriesListForm) -> dict[str, object]:
    """What the form shows: what was given, or what it was read as."""
    read = form.cleaned_data
    return {
        "pasted": ", ".join(read["ids"]) if "ids" in read else form.data.get("ids", ""),
        "most": MOST_IDS,
        "chosen": read.get("columns", DEFAULT_COLUMNS),
        "choices": {name: name_of(name) for name in COLUMN_CHOICES},
        "fields": form.fields_shown(),
        "misspelt": misspelt(form.data, form.fields),
        "invalid": list(form.errors),
    }
