"""People: forged headers, sessions of personal paths, and READ=signed-in for all other pages and files."""

from contextlib import suppress
from hashlib import blake2b
from threading import Lock
from typing import Any
from wsgiref.types import WSGIEnvironment

import structlog
from cachetools import TTLCache
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import MiddlewareNotUsed
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.cache import patch_cache_control

from econweb.accounts.people import EDIT_NAMES, Person, is_from_elsewhere, person_of, visitor_named
from econweb.accounts.proxy_headers import find_forgery, header_keys
from econweb.accounts.sessions import SessionStore, renew_session
from econweb.accounts.tokens import person_of_program
from econweb.catalogue import views
from econweb.dashboard.error_pages import error_handlers, problems
from econweb.dashboard.rights import ask_to_sign_in
from econweb.serving.headers import GetResponse
from econweb.upstream import clock, visitor_limits

# These decide for themselves: people sign in there, and programs send a token of their person or a key of the service.
OPEN_PATHS = (*settings.PERSONAL_PATHS, "/feeds/", "/mcp", settings.CATALOGUE_PATH)
# The token of a person opens these as well: the files for a step of continuous integration.
CHECK_FILES = "/check."
# A worker reads a session once in this time, also for the responses in its cache.
REMEMBERED_SECONDS = 1.0
MAX_REMEMBERED = 10_000

log = structlog.get_logger("econweb.accounts")
# The names of people who are signed in. A lambda, because tests replace the clock.
_names: TTLCache[bytes, str] = TTLCache(MAX_REMEMBERED, REMEMBERED_SECONDS, lambda: clock.steady())  # noqa: PLW0108
_lock = Lock()


def refuse_forged_headers(get_response: GetResponse) -> GetResponse:
    """With SIGN_IN=proxy, refuse a request whose headers name a person, and that the proxy did not write."""
    if settings.SIGN_IN != "proxy":
        raise MiddlewareNotUsed

    def answer(request: HttpRequest) -> HttpResponse:
        if not (wrong := find_forgery(request.META)):
            return get_response(request)
        address = request.META.get("REMOTE_ADDR", "")
        log.warning("a request that names a person was refused", reason=wrong, client=address)
        if request.path_info.startswith(settings.CATALOGUE_PATH):
            return views.bad_request(request)
        return problems.error_response(request, "forged_person", reason=wrong)

    return answer


def require_sign_in(get_response: GetResponse) -> GetResponse:
    if settings.READ == "anyone":
        raise MiddlewareNotUsed

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(OPEN_PATHS):
            return get_response(request)
        name = recent_name(request.META)
        if name is None:
            try:
                name = _name_of_person(request) or _name_of_program(request)
            except Error as error:
                return error_handlers.without_database(request, error)
            if name is None:
                return _refuse(request)
        # People behind one address count each for themselves.
        visitor_limits.visitor.set(visitor_named(name))
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
            response = error_handlers.without_database(request, error)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return answer


def _name_of_person(request: HttpRequest) -> str | None:
    """Return the name of the person that is signed in, and remember it for a second."""
    person = _find_person(request)
    if person:
        with _lock:
            _names[_identity(request.META)] = person.name
    return person.name if person else None


def _name_of_program(request: HttpRequest) -> str | None:
    """Return the name of the person whose token opens this file; nothing remembers it, so it ends at once."""
    has_tokens = settings.MCP and request.path_info.startswith(CHECK_FILES)
    return person_of_program(request) if has_tokens else None


def recent_name(environ: WSGIEnvironment) -> str | None:
    """Return the name of the sender who was signed in within the last second; the response cache asks as well."""
    with _lock:
        return _names.get(_identity(environ))


def _identity(environ: WSGIEnvironment) -> bytes:
    """Return all that `person_of` depends on, as a digest, because it holds secrets."""
    parts = [environ.get(key) for key in ("HTTP_COOKIE", "REMOTE_ADDR", *header_keys())]
    return blake2b(repr(parts).encode(), digest_size=16).digest()


def is_editor(request: HttpRequest) -> bool:
    """Return whether an editor sends the request, before its form is read."""
    try:
        person = _find_person(request)
    except Error:
        return False
    return person is not None and person.may(EDIT_NAMES)


def _find_person(request: Any) -> Person | None:
    """Look at the session without the middleware of sessions, which would set cookies on public pages."""
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    request.user = get_user(request)
    person = person_of(request)
    renew_session(request)
    del request.session, request.user
    return person


def _refuse(request: HttpRequest) -> HttpResponse:
    # The path says whether a file is wanted.
    with suppress(Resolver404):
        request.resolver_match = resolve(request.path_info)
    return ask_to_sign_in(request)
