"""A server of a test ends with it."""

from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import active_count

from tests.http_server import running


def test_server_of_a_failing_test_leaves_no_thread() -> None:
    before = active_count()

    with suppress(AssertionError), running(HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)):
        raise AssertionError

    assert active_count() == before
