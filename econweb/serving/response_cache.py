"""Response cache in front of Django: send a finished response again while it is still valid."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cachetools import LRUCache
from django.conf import settings
from django.core.handlers.wsgi import get_path_info
from django.utils.http import parse_etags

from econweb.accounts.people import visitor_named, visitor_of
from econweb.accounts.proxy_headers import find_forgery
from econweb.cacheable_response import PRIVATE, CacheableResponse
from econweb.serving.admission import QueueFull
from econweb.serving.compression import negotiate_encoding
from econweb.serving.monitoring.request_times import NO_ROUTE, ROUTE, TIMES
from econweb.serving.request_log import bind_request, choose_request_id, log_response
from econweb.serving.sign_in import recent_name

MAX_CACHE_BYTES = 4 * 1024 * 1024
# Longer `If-None-Match` headers go to Django, which limits the size of all headers.
MAX_IF_NONE_MATCH = 8192
# Characters of a path and query whose response is cached.
MAX_ADDRESS = 1000
# Seconds a cached response is served before it is revalidated.
REVALIDATE_SECONDS = 1.0
_Headers = list[tuple[str, str]]
# Requests with one of these go to Django: the response is private, or depends on the header. A cookie is not among
# them: no response that is cached depends on one.
_BYPASS_HEADERS = (
    "HTTP_AUTHORIZATION",
    "HTTP_CACHE_CONTROL",
    "HTTP_RANGE",
    "HTTP_IF_MATCH",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_TRANSFER_ENCODING",
)
_UNCACHED_HEADERS = {"content-length", "x-request-id"}
# A 304 does not repeat these (RFC 9110, 15.4.5).
_BODY_HEADERS = {"content-type", "content-length", "content-encoding"}


@dataclass
class CachedResponse:
    """One response in one encoding."""

    headers: _Headers
    # None while all clients so far sent the current ETag.
    body: bytes | None
    etag: str
    # Calls the view's check of everything that the bytes depend on.
    check: Callable[[], bool]
    route: str = NO_ROUTE
    until: float = field(init=False)

    def __post_init__(self) -> None:
        self.until = time.monotonic() + REVALIDATE_SECONDS

    def is_still_valid(self, environ: WSGIEnvironment, reader: str | None) -> bool:
        if time.monotonic() < self.until:
            return True
        # The check may ask the service, within the limits of this visitor.
        visitor = visitor_of(environ) if reader is None else visitor_named(reader)
        try:
            with bind_request(environ["HTTP_X_REQUEST_ID"], visitor):
                is_valid = self.check()
        except QueueFull:
            raise
        except Exception:  # Django meets the same error next, and reports it
            return False
        if is_valid:
            self.until = time.monotonic() + REVALIDATE_SECONDS
        return is_valid

    def size(self) -> int:
        return len(self.body or b"") + sum(len(name) + len(value) for name, value in self.headers) + 2000


class CacheKey(NamedTuple):
    """A digest of everything that a response depends on; a query string may hold an API key."""

    digest: bytes
    # The request headers that are part of the digest.
    varying: tuple[str, ...]


class ResponseCache:
    """Cached responses by key, bounded in bytes; the least recently used go first."""

    def __init__(self) -> None:
        self._responses: LRUCache[bytes, CachedResponse] = LRUCache(MAX_CACHE_BYTES, getsizeof=CachedResponse.size)
        self._lock = Lock()
        # Request headers that the `Vary` of any cached response named.
        self._varying: tuple[str, ...] = ()

    def get(self, key: CacheKey, environ: WSGIEnvironment, reader: str | None) -> CachedResponse | None:
        with self._lock:
            cached = self._responses.get(key.digest)
        try:
            if cached is None or cached.is_still_valid(environ, reader):
                return cached
        except QueueFull:
            # Nothing is known against the response, and rendering it again is dearest now.
            return None
        with self._lock:
            self._responses.pop(key.digest, None)
        return None

    def put(self, key: CacheKey, environ: WSGIEnvironment, cached: CachedResponse, vary: str) -> None:
        named = _parse_vary(vary)
        with self._lock:
            if not named <= set(self._varying):
                self._varying = tuple(sorted({*self._varying, *named}))
            if key.varying is not self._varying:
                key = self.build_key(environ)
            # The cache refuses a response above its bound, and an old one must not stay in its place.
            self._responses.pop(key.digest, None)
            with suppress(ValueError):
                self._responses[key.digest] = cached

    def build_key(self, environ: WSGIEnvironment) -> CacheKey:
        get, varying = environ.get, self._varying
        parts = (
            environ["wsgi.url_scheme"],
            get("HTTP_X_FORWARDED_PROTO"),
            get("HTTP_HOST"),
            get("PATH_INFO"),
            get("QUERY_STRING"),
            negotiate_encoding(get("HTTP_ACCEPT_ENCODING", "")),
            *map(get, varying),
        )
        return CacheKey(blake2b(repr(parts).encode(), digest_size=16).digest(), varying)


def cache_responses(application: WSGIApplication) -> WSGIApplication:
    """Wrap the application with a cache; the setting RESPONSE_CACHE turns it off (wsgi.py)."""
    cache = ResponseCache()
    # Then every response is private, and is stored for those who are signed in.
    is_for_readers = settings.READ == "signed-in"
    proxy_names_people = settings.SIGN_IN == "proxy"

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        reader = recent_name(environ) if is_for_readers else None
        if _must_bypass(environ) or (is_for_readers and reader is None):
            return application(environ, start_response)
        if proxy_names_people and find_forgery(environ):
            return application(environ, start_response)
        started = time.perf_counter()
        key = cache.build_key(environ)
        # Django takes the same id, where the response is no longer valid.
        request_id = environ["HTTP_X_REQUEST_ID"] = choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        cached = cache.get(key, environ, reader)
        is_known = cached is not None and _has_current_etag(environ, cached)
        has_cookie = "HTTP_COOKIE" in environ
        if cached is None or (cached.body is None and not is_known):
            if has_cookie and not is_for_readers:
                # Django's response to it says that it is private, which would be stored.
                return application(environ, start_response)
            return _call_django(application, environ, start_response, partial(cache.put, key, environ))
        left_out = _BODY_HEADERS if is_known else ()
        headers = [(name, value) for name, value in cached.headers if name.lower() not in left_out]
        if has_cookie:
            headers = [(name, PRIVATE if name == "Cache-Control" else value) for name, value in headers]
        start_response("304 Not Modified" if is_known else "200 OK", [*headers, ("X-Request-ID", request_id)])
        TIMES.add(cached.route, 304 if is_known else 200, started)
        path, method = get_path_info(environ), environ["REQUEST_METHOD"]
        log_response(method, path, 304 if is_known else 200, started, request_id=request_id)
        return [b"" if is_known or method == "HEAD" else cached.body or b""]

    return answer


def _call_django(
    application: WSGIApplication,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    store: Callable[[CachedResponse, str], None],
) -> Iterable[bytes]:
    """Return Django's response, and cache it when it is cacheable."""
    head: list[Any] = []

    def keep_head(*arguments: Any) -> Callable[[bytes], object]:
        head[:] = arguments
        return lambda body: None

    response = application(environ, keep_head)
    if not isinstance(response, CacheableResponse) or not _is_cacheable(response):
        start_response(*head)
        return response
    cached = _build_cached(response, head[1], environ.get(ROUTE, NO_ROUTE))
    store(cached, response.get("Vary", ""))
    status = "200 OK" if cached.body is not None else "304 Not Modified"
    start_response(status, [*cached.headers, ("X-Request-ID", response["X-Request-ID"])])
    response.close()
    return [cached.body or b""]


def _parse_vary(vary: str) -> frozenset[str]:
    """Return the named request headers, without those that every key holds."""
    named = {f"HTTP_{name.strip().upper().replace('-', '_')}" for name in vary.split(",") if name}
    return frozenset(named - {"HTTP_ACCEPT_ENCODING"})


def _is_cacheable(response: CacheableResponse) -> bool:
    depends_on_cookies = response.cookies or "HTTP_COOKIE" in _parse_vary(response.get("Vary", ""))
    return response.status_code in {200, 304} and not depends_on_cookies and "ETag" in response


def _build_cached(response: CacheableResponse, sent: _Headers, route: str) -> CachedResponse:
    headers = [(name, value) for name, value in sent if name.lower() not in _UNCACHED_HEADERS]
    body = None if response.status_code == 304 else response.content
    if body is not None:
        headers.append(("Content-Length", str(len(body))))
    return CachedResponse(headers, body, response["ETag"], response.is_still_valid, route)


def _must_bypass(environ: WSGIEnvironment) -> bool:
    if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or environ["PATH_INFO"].startswith(settings.PERSONAL_PATHS):
        return True
    if "HTTP_IF_MODIFIED_SINCE" in environ and "HTTP_IF_NONE_MATCH" not in environ:
        return True
    if len(environ.get("HTTP_IF_NONE_MATCH", "")) > MAX_IF_NONE_MATCH:
        return True
    # A cached response holds its address for the check, so the address is bounded too.
    if len(environ.get("QUERY_STRING", "")) + len(environ.get("PATH_INFO", "")) > MAX_ADDRESS:
        return True
    return any(name in environ for name in _BYPASS_HEADERS)


def _has_current_etag(environ: WSGIEnvironment, cached: CachedResponse) -> bool:
    """Compare weakly (RFC 9110, 13.1.2)."""
    given = environ.get("HTTP_IF_NONE_MATCH")
    if given is None:
        return False
    etags = [etag.removeprefix("W/") for etag in parse_etags(given)]
    return "*" in etags or cached.etag.removeprefix("W/") in etags
