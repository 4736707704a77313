"""Finished answers, in front of Django: bytes that are ready are sent again for as long as they stay true."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import blake2b
from threading import Lock
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.handlers.wsgi import get_path_info
from django.http import HttpResponse
from django.utils.http import parse_etags

from econweb.compression import best_coding
from econweb.request_log import identity_of, log_answer

MOST_BYTES = 4 * 1024 * 1024
# Of the names of answers that a browser says it has; Django refuses what is far longer.
LONGEST_NAMES = 8192
# For so long an answer is taken for true without a look.
SECONDS = 1.0
_Headers = list[tuple[str, str]]
# Requests with one of these are Django's: the answer is private, or another one than usual is wanted.
_PASSED_ON = (
    "HTTP_COOKIE",
    "HTTP_AUTHORIZATION",
    "HTTP_CACHE_CONTROL",
    "HTTP_RANGE",
    "HTTP_IF_MATCH",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_TRANSFER_ENCODING",
)
_NOT_KEPT = {"content-length", "x-request-id"}
# What a 304 does not say again (RFC 9110, 15.4.5).
_OF_A_BODY = {"content-type", "content-length", "content-encoding"}


@dataclass
class Finished:
    """One answer in one encoding. `still_true` is the view's, and looks at all that the bytes rest on."""

    headers: _Headers
    # None when so far nobody asked but browsers that know it.
    body: bytes | None
    etag: str
    still_true: Callable[[], bool]
    seconds: float = field(default_factory=lambda: SECONDS)
    until: float = field(init=False)

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.seconds

    def is_true(self) -> bool:
        if time.monotonic() < self.until:
            return True
        try:
            true = self.still_true()
        except Exception:  # whatever is wrong is for Django to find again and to show
            return False
        self.until = time.monotonic() + self.seconds
        return true

    def size(self) -> int:
        return len(self.body or b"") + 2000


class _Asked(NamedTuple):
    """All that an answer depends on as a digest, because a query string may hold somebody's key."""

    key: bytes
    # The request headers that are in it.
    varying: tuple[str, ...]


class _Kept:
    """Finished answers by all that they depend on; those that were not asked for longest go first."""

    def __init__(self) -> None:
        self._answers: OrderedDict[bytes, Finished] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        # Request headers that any kept answer named in `Vary`.
        self._varying: tuple[str, ...] = ()

    def get(self, key: bytes) -> Finished | None:
        finished = self._answers.get(key)
        if finished is None:
            return None
        if not finished.is_true():
            self._drop(key)
            return None
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
        return finished

    def put(self, asked: _Asked, environ: WSGIEnvironment, finished: Finished, vary: str) -> None:
        named = _headers_named(vary)
        with self._lock:
            if not named <= set(self._varying):
                self._varying = tuple(sorted({*self._varying, *named}))
            key = asked.key if asked.varying is self._varying else self.asked(environ).key
            if replaced := self._answers.pop(key, None):
                self._bytes -= replaced.size()
            self._answers[key] = finished
            self._bytes += finished.size()
            while self._bytes > MOST_BYTES:
                _, oldest = self._answers.popitem(last=False)
                self._bytes -= oldest.size()

    def _drop(self, key: bytes) -> None:
        with self._lock:
            if dropped := self._answers.pop(key, None):
                self._bytes -= dropped.size()

    def asked(self, environ: WSGIEnvironment) -> _Asked:
        get, varying = environ.get, self._varying
        parts = (
            environ["wsgi.url_scheme"],
            get("HTTP_X_FORWARDED_PROTO"),
            get("HTTP_HOST"),
            get("PATH_INFO"),
            get("QUERY_STRING"),
            best_coding(get("HTTP_ACCEPT_ENCODING", "")),
            *map(get, varying),
        )
        return _Asked(blake2b(repr(parts).encode(), digest_size=16).digest(), varying)


def finished_answers(application: WSGIApplication) -> WSGIApplication:
    """Django is asked for everything that is not ready, or no longer true."""
    kept = _Kept()

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if _is_for_django(environ):
            return application(environ, start_response)
        begun = time.perf_counter()
        asked = kept.asked(environ)
        finished = kept.get(asked.key)
        is_known = finished is not None and _is_known(environ, finished)
        if finished is None or (finished.body is None and not is_known):
            return _made(application, environ, start_response, partial(kept.put, asked, environ))
        identity = identity_of(environ.get("HTTP_X_REQUEST_ID", ""))
        headers = _without_body(finished.headers) if is_known else list(finished.headers)
        start_response("304 Not Modified" if is_known else "200 OK", [*headers, ("X-Request-ID", identity)])
        path, method = get_path_info(environ), environ["REQUEST_METHOD"]
        log_answer(method, path, 304 if is_known else 200, begun, request_id=identity)
        return [b"" if is_known or method == "HEAD" else finished.body or b""]

    return answer


def _made(
    application: WSGIApplication,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    keep: Callable[[Finished, str], None],
) -> Iterable[bytes]:
    """Django's answer; it is kept when its view says how long it is true."""
    started: list[Any] = []

    def start_later(*arguments: Any) -> Callable[[bytes], object]:
        started[:] = arguments
        return lambda body: None

    response = application(environ, start_later)
    still_true = getattr(response, "still_true", None)
    if not isinstance(response, HttpResponse) or still_true is None or not _can_be_kept(response):
        start_response(*started)
        return response
    finished = _finished(response, started[1], still_true)
    keep(finished, response["Vary"])
    status = "200 OK" if finished.body is not None else "304 Not Modified"
    start_response(status, [*finished.headers, ("X-Request-ID", response["X-Request-ID"])])
    response.close()
    return [finished.body or b""]


@lru_cache(maxsize=100)
def _headers_named(vary: str) -> frozenset[str]:
    """Beyond what every key holds."""
    named = {f"HTTP_{name.strip().upper().replace('-', '_')}" for name in vary.split(",")}
    return frozenset(named - {"HTTP_COOKIE", "HTTP_ACCEPT_ENCODING"})


def _can_be_kept(response: HttpResponse) -> bool:
    return response.status_code in {200, 304} and not response.cookies and "ETag" in response


def _finished(response: HttpResponse, said: _Headers, still_true: Callable[[], bool]) -> Finished:
    headers = [(name, value) for name, value in said if name.lower() not in _NOT_KEPT]
    body = None if response.status_code == 304 else response.content
    if body is not None:
        headers.append(("Content-Length", str(len(body))))
    # A view may bound how late a change is seen.
    seconds = getattr(response, "true_for_seconds", SECONDS)
    return Finished(headers, body, response["ETag"], still_true, seconds)


def _is_for_django(environ: WSGIEnvironment) -> bool:
    if environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
        return True
    if "HTTP_IF_MODIFIED_SINCE" in environ and "HTTP_IF_NONE_MATCH" not in environ:
        return True
    if len(environ.get("HTTP_IF_NONE_MATCH", "")) > LONGEST_NAMES:
        return True
    return any(name in environ for name in _PASSED_ON)


def _is_known(environ: WSGIEnvironment, finished: Finished) -> bool:
    """Spoken weakly (RFC 9110, 13.1.2)."""
    given = environ.get("HTTP_IF_NONE_MATCH")
    if given is None:
        return False
    etags = [etag.removeprefix("W/") for etag in parse_etags(given)]
    return "*" in etags or finished.etag.removeprefix("W/") in etags


def _without_body(headers: _Headers) -> _Headers:
    return [(name, value) for name, value in headers if name.lower() not in _OF_A_BODY]
