"""So much work at once and no more: who finds no room is told at once when to come back."""

import sys
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from queue import SimpleQueue
from threading import Lock
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


class _Places:
    """Who waits longest is next."""

    def __init__(self) -> None:
        self._free: deque[_Place] = deque({} for _ in range(AT_WORK))
        self._waiting: deque[SimpleQueue[_Place]] = deque()
        self._lock = Lock()

    def take(self) -> _Place:
        with self._lock:
            if self._free:
                return self._free.pop()
            if len(self._waiting) >= WAITING:
                raise Full
            turn: SimpleQueue[_Place] = SimpleQueue()
            self._waiting.append(turn)
        return turn.get()

    def give_back(self, place: _Place) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().put(place)
            elif any(connection.connection for connection in place.values()):
                # It is taken first: few connections are opened, and what has none is no use to anybody who
                # comes when the database takes no more.
                self._free.append(place)
            else:
                self._free.appendleft(place)


def _lend(place: _Place) -> None:
    for alias, connection in place.items():
        connection.close_if_unusable_or_obsolete()
        connections[alias] = connection


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
    places = _Places()

    def run(call: Callable[..., Any], *arguments: Any) -> Any:
        place = places.take()
        try:
            _lend(place)
            try:
                return call(*arguments)
            finally:
                _take_back(place)
        finally:
            places.give_back(place)

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
