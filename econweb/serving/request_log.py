"""The id, the visitor and the log line of a request, from Django or from the response cache."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from secrets import token_hex

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from econweb.accounts.people import visitor_of
from econweb.serving.monitoring.request_times import NO_ROUTE, ROUTE, STARTED, TIMES
from econweb.upstream import visitor_limits
from econweb.upstream.new_client import EMBEDDED_HOST

log = structlog.get_logger("econweb.requests")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_STATIC = f"/{settings.STATIC_URL.strip('/')}/"


def log_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id and a visitor, and log its response."""

    def answer(request: HttpRequest) -> HttpResponse:
        request_id = choose_request_id(request.headers.get("X-Request-ID", ""))
        started = time.perf_counter()
        with bind_request(request_id, visitor_of(request.META)):
            response = get_response(request)
            _count(request, response.status_code)
            is_inside = request.META["SERVER_NAME"] == EMBEDDED_HOST
            event = "request from inside" if is_inside else "request"
            log_response(str(request.method), request.path, response.status_code, started, event)
        response["X-Request-ID"] = request_id
        return response

    return answer


@contextmanager
def bind_request(request_id: str, visitor: str) -> Iterator[None]:
    """Give an id and a visitor to all that is logged and asked inside."""
    # The embedded service is called in process, inside a request that has its own id already.
    tokens = structlog.contextvars.bind_contextvars(request_id=request_id)
    visitor_token = visitor_limits.visitor.set(visitor)
    try:
        yield
    finally:
        visitor_limits.visitor.reset(visitor_token)
        structlog.contextvars.reset_contextvars(**tokens)


def _count(request: HttpRequest, status: int) -> None:
    """Count a request from outside, with the time that it waited."""
    route = request.META.setdefault(ROUTE, _name_route(request))
    # The embedded service is also called in process.
    if started := request.META.get(STARTED):
        TIMES.add(route, status, started)


def _name_route(request: HttpRequest) -> str:
    """Return the name of the route, and never a path: anybody may ask for any."""
    match = request.resolver_match
    if match is None:
        return "static" if request.path_info.startswith(_STATIC) else NO_ROUTE
    if match.url_name and not match.app_names:
        return match.url_name
    return match.route.split("/")[0] or NO_ROUTE


def choose_request_id(given: str) -> str:
    """Return the proxy's id if it is well formed, otherwise a new one."""
    return given if _REQUEST_ID.fullmatch(given) else token_hex(16)


def log_response(method: str, path: str, status: int, started: float, event: str = "request", **more: str) -> None:
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    write = log.warning if status >= 500 else log.info
    write(event, method=method, path=path, status=status, ms=milliseconds, **more)
