"""What every answer carries: a request id, a log line, a strict content policy, and who may keep it."""

import time
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control

from econweb.catalogue import views
from econweb.dashboard import problems
from econweb.dashboard.destinations import address_without_key
from econweb.request_log import identity_of, log_answer

Answer = Callable[[HttpRequest], HttpResponse]
# Forms that are read at the same time, of the places at work (room.py).
BODIES = 4
# Of the values of all headers together.
LONGEST_HEAD = 64 * 1024
# A browser asks each time whether its page still holds. A shared cache does so after a second, as long as a
# finished answer is sent without a look; many of them would keep nothing that says `no-cache`.
_PUBLIC = "public, max-age=0, s-maxage=1"


def request_id(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponse:
        identity = identity_of(request.headers.get("X-Request-ID", ""))
        begun = time.perf_counter()
        # The embedded service is called in process, inside a request that has its own id already.
        tokens = structlog.contextvars.bind_contextvars(request_id=identity)
        try:
            response = get_response(request)
            log_answer(str(request.method), request.path, response.status_code, begun)
        finally:
            structlog.contextvars.reset_contextvars(**tokens)
        response["X-Request-ID"] = identity
        return response

    return answer


def content_policy(get_response: Answer) -> Answer:
    frame_ancestors = " ".join(settings.FRAME_ANCESTORS) or "'none'"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"form-action 'self'; base-uri 'none'; frame-ancestors {frame_ancestors}"
    )

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Content-Security-Policy"] = policy
        response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return response

    return answer


def plain_requests(get_response: Answer) -> Answer:
    """No browser sends a form in chunks, behind whose end a request could hide, or a head without end."""

    def answer(request: HttpRequest) -> HttpResponse:
        # Programs that ask the embedded service read its own format, errors included.
        by_program = request.path_info.startswith("/econ/")
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return views.bad_request(request) if by_program else problems.bad_request(request)
        if sum(len(text) for name, text in request.META.items() if name.startswith("HTTP_")) > LONGEST_HEAD:
            return views.too_long_head(request) if by_program else problems.too_long_head(request)
        return get_response(request)

    return answer


def caching(get_response: Answer) -> Answer:
    """What a cache in between may keep, where a view says nothing; the bytes are those of anybody."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # A streamed answer has no ETag, and one that a reader with a cookie gets may be theirs.
        public = response.status_code in {200, 304} and "ETag" in response
        if "Cache-Control" not in response:
            alone = request.COOKIES or response.cookies or "Authorization" in request.headers
            response["Cache-Control"] = _PUBLIC if public and not alone else "private, no-cache"
        return response

    return answer


def few_bodies(get_response: Answer) -> Answer:
    """A body may trickle in for as long as its sender likes, and a thread waits for it: a few at most."""
    places = BoundedSemaphore(BODIES)

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return get_response(request)
        if not places.acquire(blocking=False):
            return problems.too_many_forms(request)
        try:
            request.body  # noqa: B018  it is kept for whoever reads it later
        except UnreadablePostError as error:
            return problems.bad_request(request, error)
        finally:
            places.release()
        return get_response(request)

    return answer


def without_keys(get_response: Answer) -> Answer:
    """A key in the address of a page would go on in `Referer` and stay in the history."""

    def answer(request: HttpRequest) -> HttpResponse:
        ours = request.method in {"GET", "HEAD"} and not request.path_info.startswith("/econ/")
        if ours and (better := address_without_key(request)):
            return redirect(better)
        return get_response(request)

    return answer


def signed_in(get_response: Answer) -> Answer:
    """Sessions, users and messages for the admin alone: no other page pays for them or sets a cookie."""
    admin: Any = SessionMiddleware(AuthenticationMiddleware(MessageMiddleware(get_response)))

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/admin/"):
            return get_response(request)
        try:
            response: HttpResponse = admin(request)
        except Error as error:
            response = problems.without_database(request, error)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return answer


def without_database(get_response: Answer) -> Answer:
    """Whichever view needs it, a database that cannot be used is told in words."""

    def answer(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return problems.without_database(request, exception) if isinstance(exception, Error) else None

    setattr(answer, "process_exception", process_exception)  # noqa: B010  Django looks for it there
    return answer
