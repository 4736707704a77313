"""Pages: read the link, ask the service module, show the template."""

import tomllib
from functools import cache
from importlib.metadata import version
from platform import python_version
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard import problems, take_along
from econweb.dashboard.citations import cited
from econweb.dashboard.destinations import (
    better_address,
    destinations,
    destinations_of,
    in_period,
    is_address,
    starts,
    suggestions,
)
from econweb.dashboard.etags import answer_once
from econweb.dashboard.files import formats
from econweb.dashboard.forms import SeriesForm, misspelt
from econweb.dashboard.pages import show, wants_renewal
from econweb.dashboard.pasted import without_key
from econweb.dashboard.provenance import series_link
from econweb.dashboard.series_files import series_sheet
from econweb.dashboard.versions import discontinued, span, versions
from econweb.upstream import service
from econweb.upstream.errors import NotFound
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import SeriesPage

# Kind, what its form wants, and an example of it.
DOORS = (
    ("series", "Its id", "GNPCA"),
    ("category", "Its number or its name", "125"),
    ("release", "Its number or its name", "53"),
)
KINDS = {kind for kind, _, _ in DOORS}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return answer_once(
        request, starts(), starts, lambda: show(request, "home", {"doors": DOORS, "starts": starts()})
    )


@require_safe
def go(request: HttpRequest) -> HttpResponse:
    """One box for anything; what it may mean is in destinations.py."""
    text = " ".join(request.GET.get("q", "").split())
    if not text:
        words = "The box is empty. Type the id of a series, for example GNPCA."
        return problems.page(request, problems.Problem(400, "Nothing to look up", words))
    kind = request.GET.get("kind")
    places = destinations_of(kind, text) if kind in KINDS else destinations(text)
    places = in_period(places, request.GET)
    if not places:
        return problems.page(request, _not_understood(text), q=without_key(text))
    if len(places) == 1:
        # What an address means stays; an answer that dropped a key is better not kept with the key.
        permanent = is_address(text) and not places[0].key_dropped
        return redirect(places[0].address, permanent=permanent)
    return show(request, "choices", {"places": places, "q": without_key(text)})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What is asked and how it goes; where it is and its key are for the operator alone."""
    context = {
        "embedded": not settings.ECON_BASE_URL,
        "host": urlsplit(settings.ECON_BASE_URL).netloc.rpartition("@")[2],
        "file_type": settings.ECON_FILE_TYPE,
        "fresh": settings.ECON_FRESH_SECONDS,
        "stale": settings.ECON_STALE_SECONDS,
        "per_minute": settings.ECON_REQUESTS_PER_MINUTE,
        "state": service.state(),
        "versions": _versions(),
    }
    return show(request, "about", context)


@cache
def _versions() -> dict[str, str]:
    """Our own is installed nowhere, so that only the project's file knows it."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    libraries = {name: version(name) for name in ("Django", "django-htmx", "granian")}
    return {"econweb": project["version"], "Python": python_version(), **libraries}


@require_safe
def suggest(request: HttpRequest) -> HttpResponse:
    found = suggestions(request.GET.get("q", "")[:200], request.GET.get("kind", ""))
    return show(request, "_suggestions", {"places": in_period(found, request.GET)})


def _not_understood(text: str) -> problems.Problem:
    words = f"Nothing is called “{without_key(text)[:100]}” here, and it is neither an id nor an address."
    advice = (
        "A series id is one to 25 letters, digits and underscores, for example GNPCA; "
        "category 125, release 53 and addresses of this site or of the service are understood as well."
    )
    return problems.Problem(400, "That cannot be looked up", words, advice)


@require_safe
@problems.shown
def series(request: HttpRequest, series_id: str, suffix: str = "") -> HttpResponseBase:
    form = series_form(request, series_id)
    if not form.is_valid():
        return problems.bad_parameters(request, form)
    query = form.query()
    link = series_link(query)
    if wants_renewal(request):
        service.series(query, renew=True)
    if better := better_address(request, link):
        return redirect(better)
    page = series_page(query)
    links = take_along.of_series(query, page)
    if suffix := suffix or formats.wanted_format(request):
        return formats.answer(request, series_sheet(page, request.build_absolute_uri(link)), suffix)
    response = answer_once(
        request, page.kept, lambda: series_page(query).kept, lambda: _series(request, form, page, links)
    )
    return take_along.announced(response, links, steps={})


def _series(
    request: HttpRequest, form: SeriesForm, page: SeriesPage, links: take_along.TakeAlong
) -> HttpResponse:
    query = form.query()
    context = {
        "page": page,
        "newest": page.reply.seriess[-1],
        "span": span(page.reply.seriess[-1]),
        "discontinued": discontinued(page.reply.seriess[-1]),
        "versions": versions(page.reply.seriess),
        "canonical": series_link(query),
        "take": links,
        "citation": cited(request, query, page).text(),
        "fields": form.fields_shown(),
        "misspelt": misspelt(form.data, form.fields),
    }
    return show(request, "series", context)


def series_form(request: HttpRequest, series_id: str) -> SeriesForm:
    given = request.GET.copy()
    given["series_id"] = series_id.upper()
    return SeriesForm(given)


def series_page(query: SeriesQuery) -> SeriesPage:
    page = service.series(query)
    if not page.reply.seriess:
        raise NotFound(f"The service has no description of {query.series_id} in that real-time period.")
    return page
