"""A server of a test ends with it."""

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

from tests.http_server import running


def test_server_of_a_failing_test_leaves_no_thread() -> None:
    # Meanwhile a thread of an earlier test may end.
    before, started = {*threading.enumerate()}, set[threading.Thread]()

    with suppress(AssertionError), running(HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)):
        started = {*threading.enumerate()} - before
        raise AssertionError

    assert started
    assert not [thread for thread in started if thread.is_alive()]
