"""So much work at once and no more: who finds no room is told at once when to come back."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from queue import SimpleQueue
from threading import BoundedSemaphore, Lock, Thread
from typing import Any
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


class Full(Exception):
    """As many are at work or wait as may."""


class _Job:
    """A third of what a future of the standard library costs, and every page has one."""

    def __init__(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call, self._arguments = call, arguments
        self._result: Any = None
        self._error: BaseException | None = None
        self._under_way = Lock()
        self._under_way.acquire()

    def do(self) -> None:
        try:
            self._result = self._call(*self._arguments)
        except BaseException as error:  # it is raised where it is waited for
            self._error = error
        self._under_way.release()

    def outcome(self) -> Any:
        self._under_way.acquire()
        if self._error is not None:
            raise self._error
        return self._result


def _work(jobs: SimpleQueue[_Job]) -> None:
    while True:
        jobs.get().do()


def with_room(application: WSGIApplication) -> WSGIApplication:
    """The server's threads wait here, so that there may be more of them than connections to the database."""
    sys.setswitchinterval(_TURN)
    jobs: SimpleQueue[_Job] = SimpleQueue()
    seats = BoundedSemaphore(AT_WORK + WAITING)
    for number in range(AT_WORK):
        Thread(target=_work, args=(jobs,), name=f"work-{number}", daemon=True).start()

    def run(call: Callable[..., Any], *arguments: Any) -> Any:
        if not seats.acquire(blocking=False):
            raise Full
        try:
            job = _Job(call, arguments)
            jobs.put(job)
            return job.outcome()
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
