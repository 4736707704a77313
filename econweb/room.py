"""So much work at once and no more: who finds no room is told at once when to come back."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from threading import BoundedSemaphore
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

# Twice as many as may wait for a slow service at once (upstream/client.py): other pages stay quick meanwhile.
# Each of these places holds a connection to the database.
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


# The connections to databases that belong to it, by alias.
_Place = dict[str, BaseDatabaseWrapper]


class Full(Exception):
    """As many are at work or wait as may."""


@contextmanager
def _lent(places: list[_Place]) -> Iterator[None]:
    """The one that was used last, so that few readers need few connections."""
    place = places.pop()
    for alias, connection in place.items():
        connections[alias] = connection
    try:
        yield
    finally:
        _take_back(place)
        places.append(place)


def _take_back(place: _Place) -> None:
    place.clear()
    for connection in connections.all(initialized_only=True):
        if not connection.allow_thread_sharing:
            # One thread after the other, never two at once.
            connection.inc_thread_sharing()
        if connection.errors_occurred:
            # One that holds on to a file that was spoilt would fail for ever.
            connection.close()
        place[connection.alias] = connection
        del connections[connection.alias]


def with_room(application: WSGIApplication) -> WSGIApplication:
    """Connections go from thread to thread: the server has more threads than a database takes connections."""
    sys.setswitchinterval(_TURN)
    seats, at_work = BoundedSemaphore(AT_WORK + WAITING), BoundedSemaphore(AT_WORK)
    places: list[_Place] = [{} for _ in range(AT_WORK)]

    def run(call: Callable[..., Any], *arguments: Any) -> Any:
        if not seats.acquire(blocking=False):
            raise Full
        try:
            with at_work, _lent(places):
                return call(*arguments)
        finally:
            seats.release()

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # A process that has much to do is alive.
        if environ["PATH_INFO"] == "/healthz":
            return application(environ, start_response)
        try:
            response: Iterable[bytes] = run(application, environ, start_response)
        except Full:
            # No log line: it would let go of the interpreter, and wait for it as long as all that work.
            start_response("503 Service Unavailable", [*_HEADERS, ("Retry-After", next(_COME_BACK))])
            return [_WORDS]
        if hasattr(response, "still_true"):
            # A look may ask the database.
            setattr(response, "still_true", partial(run, response.still_true))  # noqa: B010  only some have it
        return response

    return answer
