"""Middleware for the headers of responses: content policy, `Cache-Control`, and the length of a head."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from econweb.cacheable_response import PRIVATE
from econweb.dashboard.error_pages import error_handlers
from econweb.dashboard.rendering.response_head import drop_long_addresses

GetResponse = Callable[[HttpRequest], HttpResponse]
# A browser revalidates each time. A shared cache does so after a second, as the response cache does;
# with `no-cache` many shared caches would store nothing.
_PUBLIC = "public, max-age=0, s-maxage=1"


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


def shorten_heads(get_response: GetResponse) -> GetResponse:
    """Keep the head of every response below the 4 KiB that a proxy takes by default."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        return response if drop_long_addresses(response) else error_handlers.too_long_address(request)

    return answer
