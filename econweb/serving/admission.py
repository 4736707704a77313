"""Admission control: bound concurrent requests, and answer 503 with Retry-After when the queue is full."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from queue import SimpleQueue
from threading import Lock
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from econweb.cacheable_response import CacheableResponse
from econweb.serving.monitoring.request_times import NO_ROUTE, STARTED, TIMES
from econweb.serving.monitoring.worker_metrics import TURNED_AWAY, watch_queue

# Twice the requests that may wait for a slow service (upstream/visitor_limits.py), so that other pages stay fast.
# Each slot lends its database connections to the thread that runs the request: 5 µs, where opening one takes 0.5 ms.
# A connection for each of the 304 threads took 100 MiB and 615 open files; 32 take 10 MiB and 71. A pool of the
# database driver would be a second queue, and SQLite has none.
MAX_CONCURRENT = 32
# About a second's worth of uncached pages.
MAX_QUEUED = 256
_BODY = b"""<!doctype html>
<html lang="en"><title>Too many requests right now</title>
<p role="alert">Too many requests right now. Wait a little, then load the page again.</p>
"""
_HEADERS = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", str(len(_BODY))),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
    ("Server", "econweb"),
]
# Different delays spread the retries.
_RETRY_AFTER = cycle("23456")
# The slot's database connections, by alias.
_Slot = dict[str, BaseDatabaseWrapper]


class QueueFull(Exception):
    """All slots are in use and the queue is full."""


class AdmissionQueue:
    """Slots, and the threads that wait for one, first come first served."""

    def __init__(self) -> None:
        self._free: deque[_Slot] = deque({} for _ in range(MAX_CONCURRENT))
        self._waiting: deque[SimpleQueue[_Slot]] = deque()
        self._lock = Lock()

    def count_at_work(self) -> int:
        return MAX_CONCURRENT - len(self._free)

    def count_waiting(self) -> int:
        return len(self._waiting)

    def acquire(self) -> _Slot:
        with self._lock:
            if self._free:
                return self._free.pop()
            if len(self._waiting) >= MAX_QUEUED:
                raise QueueFull
            turn: SimpleQueue[_Slot] = SimpleQueue()
            self._waiting.append(turn)
        return turn.get()

    def release(self, slot: _Slot) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().put(slot)
            elif any(connection.connection for connection in slot.values()):
                # Reuse it first: few connections are opened, and a request is served when the database
                # accepts no more.
                self._free.append(slot)
            else:
                self._free.appendleft(slot)


def _attach_connections(slot: _Slot) -> None:
    for alias, connection in slot.items():
        connection.close_if_unusable_or_obsolete()
        connections[alias] = connection


def _detach_connections(slot: _Slot) -> None:
    slot.clear()
    for connection in connections.all(initialized_only=True):
        if not connection.allow_thread_sharing:
            # Threads use it one after another, never at the same time.
            connection.inc_thread_sharing()
        if connection.errors_occurred:
            # A connection to a damaged file would fail for ever.
            connection.close()
        slot[connection.alias] = connection
        del connections[connection.alias]


def _build_hsts_headers(environ: WSGIEnvironment) -> list[tuple[str, str]]:
    """Return the HSTS header, as Django's SecurityMiddleware adds it."""
    header, _ = settings.SECURE_PROXY_SSL_HEADER or ("", "")
    is_secure = "https" in {environ.get("wsgi.url_scheme"), environ.get(header)}
    seconds = settings.SECURE_HSTS_SECONDS
    return [("Strict-Transport-Security", f"max-age={seconds}")] if is_secure and seconds else []


def limit_concurrency(application: WSGIApplication) -> WSGIApplication:
    """Run the application in one of MAX_CONCURRENT slots; threads take turns with their connections."""
    queue = AdmissionQueue()
    watch_queue(queue.count_at_work, queue.count_waiting, MAX_CONCURRENT)

    def run(call: Callable[..., Any], *arguments: Any) -> Any:
        slot = queue.acquire()
        try:
            _attach_connections(slot)
            try:
                return call(*arguments)
            finally:
                _detach_connections(slot)
        finally:
            queue.release(slot)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[STARTED] = started = time.perf_counter()
        # A busy process is alive.
        if environ["PATH_INFO"] == "/healthz":
            return application(environ, start_response)
        try:
            response: Iterable[bytes] = run(application, environ, start_response)
        except QueueFull:
            TURNED_AWAY.inc()
            TIMES.add(NO_ROUTE, 503, started)
            # No log line: writing it would release the interpreter, and wait behind all other threads.
            headers = [*_HEADERS, *_build_hsts_headers(environ), ("Retry-After", next(_RETRY_AFTER))]
            start_response("503 Service Unavailable", headers)
            return [_BODY]
        if isinstance(response, CacheableResponse):
            # The check may query the database, so it needs a slot too.
            response.is_still_valid = partial(run, response.is_still_valid)
        return response

    return answer
