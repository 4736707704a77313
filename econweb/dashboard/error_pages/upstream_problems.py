"""Error pages for errors of the service."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from econweb.dashboard.entered_text import send_again
from econweb.dashboard.error_pages.problems import (
    Arguments,
    Problem,
    View,
    build_problem,
    current_request_id,
    error_page,
)
from econweb.dashboard.error_texts.messages import (
    CHECK_NUMBER,
    CHOOSE_EARLIER_DAY,
    NO_RECORD_IN_PERIOD,
    TELL_ADMINISTRATOR,
)
from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.files.provenance import format_utc
from econweb.dashboard.page_links import page_link
from econweb.dashboard.parameters import LinkForm, without_period
from econweb.dashboard.redirects import same_page
from econweb.upstream.errors import Busy, NotFound, NotInPeriod, UpstreamError, WrongValue, message_of


def render_upstream_errors(view: View[Arguments]) -> View[Arguments]:
    """Decorate a view so that an error of the service becomes an error page."""

    @wraps(view)
    def respond(request: HttpRequest, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except UpstreamError as error:
            return upstream_error_page(request, error, request.get_full_path())

    return respond


def upstream_error_page(
    request: HttpRequest, error: UpstreamError, link: str, as_of_today: str | None = None, **more: Any
) -> HttpResponse:
    """Render an error of the service; `link` is the address to try again, `more` is for the template.

    Without `as_of_today`, what is not found leads to the same view without its dates.
    """
    if isinstance(error, NotFound):
        as_of_today = _link_without_dates(request) if as_of_today is None else as_of_today
        named = request.resolver_match.kwargs if request.resolver_match else {}
        if "series_id" in named and not as_of_today:
            return _missing_series_page(request, error, named["series_id"], **more)
        if "number" in named and not as_of_today:
            problem = replace(_describe_error(error, link), advice=CHECK_NUMBER)
            return error_page(request, problem, **send_again(request), **more)
    return error_page(request, _describe_error(error, link, as_of_today or ""), **send_again(request), **more)


def _missing_series_page(
    request: HttpRequest, error: NotFound, series_id: str, near: Sequence[object] = (), **more: Any
) -> HttpResponse:
    """Render a 404 with the series that have nearly the same id, and a link to a version or a search for the id."""
    problem = _describe_error(error, "")
    if not isinstance(error, NotInPeriod):
        problem = replace(problem, title=f"No series “{series_id.upper()}”")
    elif not _link_without_dates(request):
        problem = replace(problem, title=f"No record of “{series_id.upper()}” today", advice=CHOOSE_EARLIER_DAY)
    search = {"more_link": page_link("series_search", q=series_id), "more_words": f"Search for “{series_id}”"}
    # The id stays in the box, to be corrected.
    filled = "series/_near.html" if near else ""
    return error_page(request, problem, q=series_id, filled=filled, near=near, **search | more)


def _describe_error(error: UpstreamError, link: str, as_of_today: str = "") -> Problem:
    code = type(error).__name__
    problem = replace(
        build_problem(code),
        message=message_of(error),
        retry_link=link if ERRORS[code].is_retryable else "",
        wait=math.ceil(error.retry_after) if isinstance(error, Busy) else 0,
        as_of_today=as_of_today,
        reference=f"Request {current_request_id()}, {format_utc(datetime.now(UTC))}",
    )
    if error.is_about_key:
        return replace(problem, advice=TELL_ADMINISTRATOR)
    if as_of_today and not isinstance(error, NotInPeriod):
        return replace(problem, advice=NO_RECORD_IN_PERIOD)
    return problem


def _link_without_dates(request: HttpRequest) -> str:
    """Return the link to the view of today; empty when the request has no real-time dates."""
    rest = without_period(request.GET)
    return same_page(request, rest.urlencode()) if len(rest) < len(request.GET) else ""


def add_refusal(form: LinkForm, error: WrongValue) -> None:
    """Show the service's message at the form field of the parameter."""
    form.add_error(error.parameter if error.parameter in form.fields else None, message_of(error))
