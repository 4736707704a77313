"""What every answer carries: a request id, a log line, and a strict content policy."""

import time
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from econweb.dashboard import problems
from econweb.request_log import identity_of, log_answer

Answer = Callable[[HttpRequest], HttpResponse]


def request_id(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponse:
        identity = identity_of(request.headers.get("X-Request-ID", ""))
        begun = time.perf_counter()
        # The embedded service is called in process, inside a request that has its own id already.
        with structlog.contextvars.bound_contextvars(request_id=identity):
            response = get_response(request)
            log_answer(str(request.method), request.path, response.status_code, begun)
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


def no_chunks(get_response: Answer) -> Answer:
    """No form of ours comes in chunks; where two servers see the end of one, another request could hide."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return problems.bad_request(request)
        return get_response(request)

    return answer


def signed_in(get_response: Answer) -> Answer:
    """Sessions, users and messages for the admin alone: no other page pays for them or sets a cookie."""
    admin: Any = SessionMiddleware(AuthenticationMiddleware(MessageMiddleware(get_response)))

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/admin/"):
            return get_response(request)
        response: HttpResponse = admin(request)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return answer
