"""Error pages that Django and the middleware of serving/ answer with instead of a view."""

import traceback
from dataclasses import replace

import structlog
from django.core.exceptions import DisallowedHost, TooManyFieldsSent
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, QueryDict

from econweb.dashboard.entered_text import send_again
from econweb.dashboard.error_pages.problems import build_problem, current_request_id, error_page, error_response

log = structlog.get_logger("econweb.dashboard")


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, TooManyFieldsSent):
        # Reading the query again would raise the same error.
        request.GET = QueryDict()
    return error_response(request, "foreign_host" if isinstance(exception, DisallowedHost) else "bad_request")


def too_long_head(request: HttpRequest) -> HttpResponse:
    response = error_response(request, "long_headers")
    response["Connection"] = "close"
    return response


def too_long_address(request: HttpRequest) -> HttpResponse:
    """Answer instead of a redirect to an address that no response head can hold."""
    # The query may hold a key, so the page repeats none of it.
    request.GET = QueryDict()
    return error_response(request, "long_address")


def too_long_form(request: HttpRequest, most: int) -> HttpResponse:
    response = error_response(request, "long_form", most=f"{most // 1024:,}")
    # The body was not read, and must not be taken for the next request.
    response["Connection"] = "close"
    return response


def chunked_body(request: HttpRequest) -> HttpResponse:
    response = bad_request(request)
    # What follows on this connection may be the rest of a body.
    response["Connection"] = "close"
    return response


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """Answer 403, also for a failed CSRF check (`reason` is Django's message for it)."""
    # A page of another site may not choose what this one asks the person to send.
    is_own = bool(reason) and request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    if is_own and (entered := send_again(request)):
        # Signing in changes the token of all forms; the page has a new one.
        return error_page(request, build_problem("older_form"), **entered)
    return error_response(request, "forbidden")


def without_database(request: HttpRequest, error: Exception) -> HttpResponse:
    # The first line says why; those of PostgreSQL after it may have values of a row, and so may a whole trace.
    said, kind = str(error).partition("\n")[0], type(error).__name__
    if isinstance(error, (OperationalError, InternalError, InterfaceError)):
        log.error("the database cannot be used", kind=kind, failure=said)
    else:
        frames = "".join(traceback.format_tb(error.__traceback__))
        log.error("a query failed", kind=kind, failure=said, frames=frames)
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
    return error_response(request, "server_error", request_id=current_request_id())
