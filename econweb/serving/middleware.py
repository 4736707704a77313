"""Middleware: request id and log line, security and cache headers, limits, and sessions of personal paths."""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

import structlog
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import RequestDataTooBig
from django.db import Error
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from econweb.accounts.client_address import client_address
from econweb.accounts.people import is_from_elsewhere, visitor_of
from econweb.accounts.sessions import renew_session
from econweb.cacheable_response import PRIVATE
from econweb.catalogue import views
from econweb.dashboard import problems
from econweb.dashboard.redirects import url_without_key, url_without_pasted_key
from econweb.dashboard.rendering.response_head import drop_long_addresses
from econweb.serving.monitoring.request_times import NO_ROUTE, ROUTE, STARTED, TIMES
from econweb.serving.request_log import choose_request_id, log_response
from econweb.serving.sign_in import is_editor
from econweb.upstream import visitor_limits

GetResponse = Callable[[HttpRequest], HttpResponse]
# Forms that are read at the same time, out of MAX_CONCURRENT slots (serving/admission.py).
MAX_FORM_UPLOADS = 8
MAX_FORM_BYTES = 64 * 1024
# One client cannot keep all others from sending a form.
MAX_UPLOADS_PER_CLIENT = 2
# These read a pasted address, key and all, and redirect to its page; a code of a provider may look like a key.
_READ_ADDRESSES = {"/go", "/suggest", "/suggest.json", "/compare/", "/sign-in/callback/"}
# The values of all headers together.
MAX_HEADER_BYTES = 64 * 1024
# A browser revalidates each time. A shared cache does so after a second, as the response cache does;
# with `no-cache` many shared caches would store nothing.
_STATIC = f"/{settings.STATIC_URL.strip('/')}/"
_PUBLIC = "public, max-age=0, s-maxage=1"


def log_requests(get_response: GetResponse) -> GetResponse:
    """Give each request an id and a visitor, and log its response."""

    def answer(request: HttpRequest) -> HttpResponse:
        request_id = choose_request_id(request.headers.get("X-Request-ID", ""))
        started = time.perf_counter()
        # The embedded service is called in process, inside a request that has its own id already.
        tokens = structlog.contextvars.bind_contextvars(request_id=request_id)
        visitor_token = visitor_limits.visitor.set(visitor_of(request.META))
        try:
            response = get_response(request)
            _count(request, response.status_code)
            log_response(str(request.method), request.path, response.status_code, started)
        finally:
            visitor_limits.visitor.reset(visitor_token)
            structlog.contextvars.reset_contextvars(**tokens)
        response["X-Request-ID"] = request_id
        return response

    return answer


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


def add_security_headers(get_response: GetResponse) -> GetResponse:
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors "
    )
    frame_ancestors = " ".join(settings.FRAME_ANCESTORS) or "'none'"

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # A site that may frame public pages must not frame the forms of a signed-in user.
        is_personal = request.path_info.startswith(settings.PERSONAL_PATHS)
        # Otherwise the server library sends its own name.
        response["Server"] = "econweb"
        response["Content-Security-Policy"] = policy + ("'none'" if is_personal else frame_ancestors)
        response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return response

    return answer


def shorten_heads(get_response: GetResponse) -> GetResponse:
    """Keep the head of every response below the 4 KiB that a proxy takes by default."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        return response if drop_long_addresses(response) else problems.too_long_address(request)

    return answer


def reject_malformed_requests(get_response: GetResponse) -> GetResponse:
    """Reject chunked bodies (request smuggling) and oversized headers. Browsers send neither."""

    def answer(request: HttpRequest) -> HttpResponse:
        # Clients of the embedded service get errors in its own format.
        is_api_call = request.path_info.startswith(settings.CATALOGUE_PATH)
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return views.bad_request(request) if is_api_call else problems.chunked_body(request)
        if sum(len(text) for name, text in request.META.items() if name.startswith("HTTP_")) > MAX_HEADER_BYTES:
            return views.too_long_head(request) if is_api_call else problems.too_long_head(request)
        return get_response(request)

    return answer


def add_cache_headers(get_response: GetResponse) -> GetResponse:
    """Set `Cache-Control` where the view did not; only pages without cookies are public."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Streamed responses have no ETag. A response to a request with a cookie may be private.
        is_public = response.status_code in {200, 304} and "ETag" in response
        if "Cache-Control" not in response:
            is_personal = bool(request.COOKIES or response.cookies or "Authorization" in request.headers)
            is_personal = is_personal or settings.READ == "signed-in"
            response["Cache-Control"] = _PUBLIC if is_public and not is_personal else PRIVATE
        return response

    return answer


def limit_form_uploads(get_response: GetResponse) -> GetResponse:
    """Read bodies only under personal paths, and few at a time: a slow sender occupies a thread."""
    uploads = visitor_limits.ClientSlots(MAX_FORM_UPLOADS)

    def answer(request: HttpRequest) -> HttpResponse:
        # The embedded service and the address of assistants reject methods and long bodies in their own format.
        has_own_limits = request.path_info.startswith(settings.CATALOGUE_PATH) or request.path_info == reverse("mcp")
        if request.method in {"GET", "HEAD"} or has_own_limits:
            return get_response(request)
        is_personal = request.path_info.startswith(settings.PERSONAL_PATHS)
        if request.method != "POST" or not is_personal:
            return problems.method_not_allowed(request, "GET, HEAD, POST" if is_personal else "GET, HEAD")
        is_large = int(request.META.get("CONTENT_LENGTH") or 0) > MAX_FORM_BYTES
        if is_large and not (request.path_info == reverse("names") and is_editor(request)):
            raise RequestDataTooBig
        client = client_address(request.META)
        if not uploads.add(client, MAX_UPLOADS_PER_CLIENT):
            return problems.error_response(request, "too_many_forms")
        try:
            request.body  # noqa: B018  Django caches it for the view
            # The view counts too: checking a password is slow on purpose.
            return get_response(request)
        except UnreadablePostError as error:
            return problems.bad_request(request, error)
        finally:
            uploads.remove(client)

    return answer


def strip_api_keys(get_response: GetResponse) -> GetResponse:
    """Redirect to the URL without API keys, which would stay in links, in the history and in `Referer`."""

    def answer(request: HttpRequest) -> HttpResponse:
        is_page = request.method in {"GET", "HEAD"} and not request.path_info.startswith(settings.CATALOGUE_PATH)
        if is_page and "key" in unquote_plus(request.META.get("QUERY_STRING", "")).lower():
            reads_address = request.path_info in _READ_ADDRESSES
            if better := url_without_key(request) or ("" if reads_address else url_without_pasted_key(request)):
                response = redirect(better)
                # A program that prefers a file gets no notice.
                patch_vary_headers(response, ["Accept"])
                return response
        return get_response(request)

    return answer


def run_personal_middleware(get_response: GetResponse) -> GetResponse:
    """Run the middleware of sessions, users and messages for personal paths only; other pages set no cookie."""

    def with_session(request: HttpRequest) -> HttpResponse:
        renew_session(request)
        return get_response(request)

    personal: Any = SessionMiddleware(AuthenticationMiddleware(MessageMiddleware(with_session)))

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(settings.PERSONAL_PATHS):
            return get_response(request)
        if request.path_info.startswith("/admin/") and settings.SIGN_IN == "proxy":
            # An old session of an account must not open its pages.
            return problems.error_response(request, "no_passwords")
        if is_from_elsewhere(request):
            # Not even a session of an admin opens them.
            return problems.error_response(request, "other_machine")
        try:
            response: HttpResponse = personal(request)
        except Error as error:
            response = problems.without_database(request, error)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return answer


class DatabaseErrors(MiddlewareMixin):
    """Turn a database error in any view into a 503 page."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return problems.without_database(request, exception) if isinstance(exception, Error) else None
