"""So much work at once and no more: who finds no room is told at once when to come back."""

import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from threading import BoundedSemaphore
from typing import Any, TypeVar
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

# Twice as many as may wait for a slow service at once (upstream/client.py): other pages stay quick meanwhile.
# Each of these threads holds a connection to the database.
AT_WORK = 32
# About a second's worth of pages that nobody asked for before.
WAITING = 256
_WORDS = b"""<!doctype html>
<html lang="en"><title>Too many readers at once</title>
<p role="alert">There are too many readers at once. Nothing is lost: load the page again in a moment.</p>
"""
_HEADERS = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", str(len(_WORDS))),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
]
# Not all come back in the same moment.
_COME_BACK = cycle("23456")
# Who is to be turned away waits for the interpreter: for so many seconds at most behind each at work.
_TURN = 0.001
T = TypeVar("T")


class Full(Exception):
    """As many are at work or wait as may."""


def with_room(application: WSGIApplication) -> WSGIApplication:
    """The server's threads wait here, so that there may be more of them than connections to the database."""
    sys.setswitchinterval(_TURN)
    workers = ThreadPoolExecutor(AT_WORK, "work")
    seats = BoundedSemaphore(AT_WORK + WAITING)

    def run(call: Callable[..., T], *arguments: Any) -> T:
        if not seats.acquire(blocking=False):
            raise Full
        try:
            return workers.submit(call, *arguments).result()
        finally:
            seats.release()

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # A process that has much to do is alive.
        if environ["PATH_INFO"] == "/healthz":
            return application(environ, start_response)
        try:
            response = run(application, environ, start_response)
        except Full:
            # No log line: it would let go of the interpreter, and wait for it as long as all that work.
            start_response("503 Service Unavailable", [*_HEADERS, ("Retry-After", next(_COME_BACK))])
            return [_WORDS]
        if hasattr(response, "still_true"):
            # A look may ask the database.
            setattr(response, "still_true", partial(run, response.still_true))  # noqa: B010  only some have it
        return response

    return answer
