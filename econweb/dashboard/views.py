"""The home page, the help page and the page about this site."""

from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from econweb.dashboard.files.provenance import name_live_service
from econweb.dashboard.page_links import url_path, with_query
from econweb.dashboard.rendering.etags import conditional_response
from econweb.dashboard.rendering.pages import render_page
from econweb.dashboard.search_box.find import suggest_destinations
from econweb.dashboard.series.lateness import FREQUENCIES, LATE_AFTER, MAX_LATENESS
from econweb.library.difference import SMALL_RULE
from econweb.search_index.reading.status import describe_coverage
from econweb.upstream import service

# Numbers that public services of this kind have in common, for a site without names.
WELL_KNOWN = (
    *(("category", number) for number in (9, 106, 115, 125, 32447)),
    *(("release", number) for number in (10, 13, 18, 50, 53)),
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return conditional_response(
        request,
        suggest_destinations,
        lambda: render_page(
            request, "home", {"starts": suggest_destinations(), "well_known": WELL_KNOWN, "canonical": request.path}
        ),
    )


@require_safe
def owner(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    """Redirect to the tags of a category or release, the page that this site has of it."""
    return redirect(with_query(url_path("tags", kind, number), request.META.get("QUERY_STRING", "")), permanent=True)


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Explain the words of the pages, and what can be done with a view."""
    host = request.get_host()
    return conditional_response(
        request,
        lambda: host,
        lambda: render_page(
            request,
            "help/page",
            {
                "canonical": request.path,
                "has_assistants": settings.MCP,
                "small_rule": SMALL_RULE,
                **_describe_lateness(),
            },
        ),
    )


def _describe_lateness() -> dict[str, object]:
    return {
        "late_after": {FREQUENCIES[short]: days for short, days in LATE_AFTER.items()},
        "max_lateness": MAX_LATENESS,
    }


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show the data service and its state, without its address and key."""
    context = {
        "catalogue": "" if settings.ECON_BASE_URL else name_live_service(),
        "host": urlsplit(settings.ECON_BASE_URL).netloc.rpartition("@")[2],
        "file_type": settings.ECON_FILE_TYPE,
        "fresh": settings.ECON_FRESH_SECONDS,
        "stale": settings.ECON_STALE_SECONDS,
        "coverage": _describe_coverage(),
        "per_minute": settings.ECON_REQUESTS_PER_MINUTE,
        "state": service.state(),
        "canonical": request.path,
        "version": settings.VERSION,
    }
    return render_page(request, "about", context)


def _describe_coverage() -> str:
    """Return how far the index of tags is; the page is also there when the database is not."""
    try:
        return describe_coverage() if settings.ECON_MAY_STORE else ""
    except DatabaseError:
        return ""
