"""Middleware that refuses or redirects requests, and that answers for a database that fails."""

from urllib.parse import unquote_plus

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from econweb.accounts.client_address import client_address
from econweb.catalogue import views
from econweb.dashboard.error_pages import error_handlers, problems
from econweb.dashboard.redirects import url_without_key, url_without_pasted_key
from econweb.serving.headers import GetResponse
from econweb.serving.sign_in import is_editor
from econweb.upstream import visitor_limits

# Forms that are read at the same time, out of MAX_CONCURRENT slots (serving/admission.py).
MAX_FORM_UPLOADS = 8
MAX_FORM_BYTES = 64 * 1024
# One client cannot keep all others from sending a form.
MAX_UPLOADS_PER_CLIENT = 2
# These read a pasted address, key and all, and redirect to its page; a code of a provider may look like a key.
_READ_ADDRESSES = {"/go", "/suggest", "/suggest.json", "/compare/", "/sign-in/callback/"}
# The values of all headers together.
MAX_HEADER_BYTES = 64 * 1024


def reject_malformed_requests(get_response: GetResponse) -> GetResponse:
    """Reject chunked bodies (request smuggling) and oversized headers. Browsers send neither."""

    def answer(request: HttpRequest) -> HttpResponse:
        # Clients of the embedded service get errors in its own format.
        is_api_call = request.path_info.startswith(settings.CATALOGUE_PATH)
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return views.bad_request(request) if is_api_call else error_handlers.chunked_body(request)
        if sum(len(text) for name, text in request.META.items() if name.startswith("HTTP_")) > MAX_HEADER_BYTES:
            return views.too_long_head(request) if is_api_call else error_handlers.too_long_head(request)
        return get_response(request)

    return answer


def limit_form_uploads(get_response: GetResponse) -> GetResponse:
    """Read bodies only under personal paths, and few at a time: a slow sender occupies a thread."""
    uploads = visitor_limits.ClientSlots(MAX_FORM_UPLOADS)

    def answer(request: HttpRequest) -> HttpResponse:
        if request.method in {"GET", "HEAD"} or _has_own_limits(request):
            return get_response(request)
        is_personal = request.path_info.startswith(settings.PERSONAL_PATHS)
        if request.method != "POST" or not is_personal:
            return error_handlers.method_not_allowed(request, "GET, HEAD, POST" if is_personal else "GET, HEAD")
        size = int(request.META.get("CONTENT_LENGTH") or 0)
        if size > MAX_FORM_BYTES:
            may_be_long = request.path_info == reverse("names") and is_editor(request)
            most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if may_be_long else MAX_FORM_BYTES
            if size > most:
                return error_handlers.too_long_form(request, most)
        client = client_address(request.META)
        if not uploads.add(client, MAX_UPLOADS_PER_CLIENT):
            return problems.error_response(request, "too_many_forms")
        try:
            request.body  # noqa: B018  Django caches it for the view
            # The view counts too: checking a password is slow on purpose.
            return get_response(request)
        except UnreadablePostError as error:
            return error_handlers.bad_request(request, error)
        finally:
            uploads.remove(client)

    return answer


def _has_own_limits(request: HttpRequest) -> bool:
    """Return whether the path rejects methods and long bodies in its own format: service and assistants."""
    return request.path_info.startswith(settings.CATALOGUE_PATH) or request.path_info == reverse("mcp")


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


class DatabaseErrors(MiddlewareMixin):
    """Turn a database error in any view into a 503 page."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return error_handlers.without_database(request, exception) if isinstance(exception, Error) else None
