"""The embedded service is called like by a server, without effect on the outer request."""

from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.validate import validator

import pytest
import requests
from django.urls import get_script_prefix, set_script_prefix

from econweb.upstream.transport.in_process import WSGIAdapter

ADDRESS = "http+wsgi://service.invalid/econ/caf%C3%A9%20a?search_text=a%2Bb%3B+c"


def asked(application: WSGIApplication) -> requests.Response:
    with requests.Session() as session:
        session.headers.clear()
        session.mount("http+wsgi://", WSGIAdapter(application))
        return session.get(ADDRESS, headers={"X-Request-ID": "7"})


class Chunks:
    """An answer in pieces, which has to be closed once."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.closed = error, 0

    def __iter__(self) -> Iterator[bytes]:
        yield b"one"
        if self.error:
            raise self.error
        yield b"two"

    def close(self) -> None:
        self.closed += 1


def test_in_process_request_has_wsgi_environment() -> None:
    seen: WSGIEnvironment = {}

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        seen.update(environ)
        start_response("418 I'm a Teapot", [("Content-Type", "text/plain"), ("X-Pot", "tea")])
        return [b"short", b" and stout"]

    reply = asked(validator(application))

    assert (reply.status_code, reply.reason, reply.headers["x-pot"]) == (418, "I'm a Teapot", "tea")
    assert (reply.content, reply.url, reply.request.url) == (b"short and stout", ADDRESS, ADDRESS)
    plain = {name: value for name, value in seen.items() if name not in {"wsgi.input", "wsgi.errors"}}
    assert plain == {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/econ/café a".encode().decode("latin-1"),
        "QUERY_STRING": "search_text=a%2Bb%3B+c",
        "SERVER_NAME": "service.invalid",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "service.invalid",
        "HTTP_X_REQUEST_ID": "7",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


@pytest.mark.parametrize("error", [None, ValueError("amid the answer")])
def test_in_process_response_is_closed_once(error: Exception | None) -> None:
    chunks = Chunks(error)

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return chunks

    if error:
        with pytest.raises(ValueError, match="amid the answer"):
            asked(application)
    else:
        assert asked(application).content == b"onetwo"

    assert chunks.closed == 1


@pytest.mark.parametrize("fails", [False, True])
def test_in_process_request_restores_script_prefix(fails: bool) -> None:
    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        set_script_prefix("/")
        start_response("200 OK", [])
        return Chunks(ValueError("amid the answer") if fails else None)

    set_script_prefix("/portal/")
    try:
        if fails:
            with pytest.raises(ValueError, match="amid the answer"):
                asked(application)
        else:
            asked(application)

        assert get_script_prefix() == "/portal/"
    finally:
        set_script_prefix("/")
