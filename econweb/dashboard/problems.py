"""Error pages: what happened, why, and what to do. Their texts are in error_texts/."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import structlog
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.vary import vary_on_headers

from econweb.dashboard.entered_text import send_again
from econweb.dashboard.error_texts.messages import NO_MESSAGE, NO_RECORD_IN_PERIOD
from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.files.negotiation import is_file
from econweb.dashboard.files.provenance import format_utc
from econweb.dashboard.page_links import with_query
from econweb.dashboard.parameters import ABOVE_RESULTS, Parameters, messages_of
from econweb.dashboard.redirects import short_link, url_without_pasted_key
from econweb.dashboard.rendering.pages import RESULTS, choose_layout, render_page
from econweb.upstream.errors import Busy, NotFound, NotInPeriod, UpstreamError, WrongValue
from econweb.upstream.queries import TagQuery

# The order comes from its menu or from a link. The offset is not among them: another view begins at its first row.
HIDDEN_FIELDS = ["sort", *(field.name for field in fields(TagQuery) if field.name not in ABOVE_RESULTS | {"offset"})]

log = structlog.get_logger("econweb.dashboard")
Arguments = ParamSpec("Arguments")
View = Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]


@dataclass(frozen=True)
class Problem:
    """The content of one error page."""

    status: int
    title: str
    message: str
    advice: str = ""
    # The link to try again, and after how many seconds at the earliest.
    retry_link: str = ""
    wait: int = 0
    # The same view without its real-time dates.
    as_of_today: str = ""
    # The request id and time, for the administrator.
    reference: str = ""


_NAME_OF_STATUS = re.compile(r"\A(Bad Request|Not Found)(\.\s*|\Z)")


def build_problem(code: str, **values: object) -> Problem:
    text = ERRORS[code]
    title, message, advice = (part.format(**values) for part in (text.title, text.message, text.advice))
    return Problem(text.status, title, message, advice, wait=text.retry_after)


def error_response(request: HttpRequest, code: str, **values: object) -> HttpResponse:
    return error_page(request, build_problem(code, **values))


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
    request: HttpRequest, error: UpstreamError, link: str, as_of_today: str = "", **more: Any
) -> HttpResponse:
    """Render an error of the service; `link` is the address to try again, `more` is for the template."""
    if isinstance(error, NotFound):
        as_of_today = as_of_today or _link_without_dates(request)
        series_id = request.resolver_match.kwargs.get("series_id", "") if request.resolver_match else ""
        if series_id and not as_of_today:
            return missing_series_page(request, error, series_id)
    return error_page(request, _describe_error(error, link, as_of_today), **send_again(request), **more)


def missing_series_page(
    request: HttpRequest, error: NotFound, series_id: str, near: Sequence[object] = ()
) -> HttpResponse:
    """Render a 404 with the series that have nearly the same id."""
    problem = replace(_describe_error(error, ""), title=f"No series “{series_id.upper()}”")
    # The id stays in the box, to be corrected.
    return error_page(request, problem, q=series_id, filled="series/_near.html" if near else "", near=near)


def _describe_error(error: UpstreamError, link: str, as_of_today: str = "") -> Problem:
    code = type(error).__name__
    problem = replace(
        build_problem(code),
        message=message_of(error),
        retry_link=link if ERRORS[code].is_retryable else "",
        wait=math.ceil(error.retry_after) if isinstance(error, Busy) else 0,
        as_of_today=as_of_today,
        reference=f"Request {_request_id()}, {format_utc(datetime.now(UTC))}",
    )
    if as_of_today and not isinstance(error, NotInPeriod):
        return replace(problem, advice=NO_RECORD_IN_PERIOD)
    return problem


def _link_without_dates(request: HttpRequest) -> str:
    """Return the link to the view of today; empty when the request has no real-time dates."""
    query = request.GET.copy()
    dropped = [query.pop(name) for name in ("as_of", "realtime_start", "realtime_end") if name in query]
    return same_page(request, query.urlencode()) if dropped else ""


def same_page(request: HttpRequest, query: str) -> str:
    """Return the link to the same page or file with another query string."""
    return with_query(request.path, query)


def message_of(error: UpstreamError) -> str:
    """Return the error's message without the name of the status, which the title says already."""
    return _NAME_OF_STATUS.sub("", str(error), count=1).strip() or NO_MESSAGE


def add_refusal(form: Parameters, error: WrongValue) -> None:
    """Show the service's message at the form field of the parameter."""
    form.add_error(error.parameter if error.parameter in form.fields else None, message_of(error))


# A program that prefers a file to a page gets plain text, and a redirect without a notice.
@vary_on_headers("Accept")
def error_page(
    request: HttpRequest, problem: Problem, q: str = "", page: str = "error", **more: object
) -> HttpResponse:
    """Render the problem as plain text for a file, otherwise on the page for errors or one that shows its form."""
    if canonical := url_without_pasted_key(request):
        return redirect(canonical)
    if is_file(request):
        response = _plain_text(request, problem)
    else:
        hidden = list(_hidden_fields(request)) if choose_layout(request) == RESULTS else []
        context = {"problem": problem, "q": q, "hidden_fields": hidden, **more}
        response = render_page(request, page, context, status=problem.status)
    if problem.wait:
        response["Retry-After"] = str(problem.wait)
    return response


def _plain_text(request: HttpRequest, problem: Problem) -> HttpResponse:
    parts = [f"{problem.title}.", problem.message, problem.advice]
    if problem.as_of_today:
        parts.append(f"As of today: {request.build_absolute_uri(problem.as_of_today)}")
    text = " ".join(filter(None, parts))
    return HttpResponse(f"{text}\n", status=problem.status, content_type="text/plain; charset=utf-8")


def _hidden_fields(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield the filters that the form keeps while an error replaces the results."""
    for name in HIDDEN_FIELDS:
        for value in request.GET.getlist(name):
            yield name, value


def bad_parameters(
    request: HttpRequest, form: Parameters, filled: str = "", page: str = "error", **more: object
) -> HttpResponse:
    """Render the form's errors. `filled` is the template of the form to correct; without it, the search box."""
    if better := short_link(request):
        return redirect(better)
    message = " ".join(messages_of(form))
    q = form.data.get("q") or form.data.get("series_id", "")
    problem = build_problem("invalid_field" if filled else "invalid_link", message=message)
    return error_page(request, problem, q, page, filled=filled, **more)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, TooManyFieldsSent):
        # Reading the query again would raise the same error.
        request.GET = QueryDict()
    return error_response(request, "bad_request")


def too_long_head(request: HttpRequest) -> HttpResponse:
    response = error_response(request, "long_headers")
    response["Connection"] = "close"
    return response


def too_long_address(request: HttpRequest) -> HttpResponse:
    """Answer instead of a redirect to an address that no response head can hold."""
    # The query may hold a key, so the page repeats none of it.
    request.GET = QueryDict()
    return error_response(request, "long_address")


def chunked_body(request: HttpRequest) -> HttpResponse:
    response = bad_request(request)
    # What follows on this connection may be the rest of a body.
    response["Connection"] = "close"
    return response


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """Answer 403, also for a failed CSRF check (`reason` is Django's message for it)."""
    return error_response(request, "forbidden")


def without_database(request: HttpRequest, error: Exception) -> HttpResponse:
    # The error's text may hold an address, and every request would log a traceback.
    log.error("the database cannot be used", kind=type(error).__name__)
    problem = build_problem("database_unavailable")
    if entered := send_again(request):
        return error_page(request, problem, **entered)
    return error_page(request, replace(problem, retry_link=request.get_full_path()))


def too_many_tries(request: HttpRequest, seconds: int) -> HttpResponse:
    return error_page(request, replace(build_problem("too_many_tries", seconds=seconds), wait=seconds))


def method_not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    response = error_response(request, "method_not_allowed")
    response["Allow"] = allowed
    # The body was not read, and must not be taken for the next request.
    response["Connection"] = "close"
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, "not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    return error_response(request, "server_error", request_id=_request_id())


def _request_id() -> str:
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))
