"""Requests that no browser sends, byte by byte, to a server that runs."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from select import select
from urllib.parse import urlsplit

import pytest

from tests.server import served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

HOST = b"Host: 127.0.0.1\r\n"
BOTH = b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n"
SECOND = b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n"
CLOSED_AFTER_ONE = {
    "a length and chunks": b"POST / HTTP/1.1\r\n" + HOST + BOTH + b"0\r\n\r\n" + SECOND,
    "a length and chunks to be read": b"GET /econ/openapi.yaml HTTP/1.1\r\n" + HOST + BOTH + b"0\r\n\r\n" + SECOND,
    "two lengths": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 6\r\nContent-Length: 5\r\n\r\n123456",
    "a length with a sign": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: +5\r\n\r\n12345",
    "a blank before the colon": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length : 5\r\n\r\n12345",
    "a coding that nobody knows": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a bad chunk": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n" + SECOND,
    "a bad chunk to be read": b"GET /healthz HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n"
    + SECOND,
    "a zero within a header": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: a\0b\r\n\r\n",
    "a header over two lines": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: a\r\n b: c\r\n\r\n",
    "a header of 100 kB": b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-A: " + b"a" * 100_000 + b"\r\n\r\n",
    "an If-None-Match of 100 kB": b"GET /econ/openapi.yaml HTTP/1.1\r\n"
    + HOST
    + b"If-None-Match: "
    + b'"a", ' * 20_000
    + b"\r\n\r\n",
}
ODD = {
    "an If-None-Match of 50 kB": b"If-None-Match: " + b'"a", ' * 10_000,
    "an If-None-Match of nonsense": b'If-None-Match: W/", ,,"\\ \xff',
    "codings that nobody knows": b"Accept-Encoding: x-nothing;q=abc, ;;;, *;q=0, gzip;q=1e9, br;q=",
    "codings without end": b"Accept-Encoding: " + b"gzip;q=0.5, " * 3_000,
    "a range": b"Range: bytes=0-1",
    "a range of nonsense": b"Range: bytes=9-1,-,5-,abc, lines=1-2",
    "a thousand ranges": b"Range: bytes=" + b"0-1," * 1000,
    "a day of nonsense": b"If-Modified-Since: Foo, 99 Bar 99999 99:99:99 GMT",
    "a current address that is none": b"HX-Request: true\r\nHX-Current-URL: http://[",
}
PATHS = [
    "/",
    "/econ/openapi.yaml",
    "/econ/series?series_id=GNPCA",
    "/series/GNPCA/",
    "/category/125/tags/",
    "/static/x.css",
    "/readyz",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with served(prepare(tmp_path_factory.mktemp("data"))) as (address, _):
        parts = urlsplit(address)
        yield str(parts.hostname), int(parts.port or 0)


def spoken(server: tuple[str, int], request: bytes) -> bytes:
    """All that comes until the server closes."""
    answer = b""
    with socket.create_connection(server, timeout=20) as connection:
        # It may have closed already while it is still being told.
        with suppress(OSError):
            connection.sendall(request)
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                answer += piece
    return answer


@pytest.mark.parametrize("request_", CLOSED_AFTER_ONE.values(), ids=CLOSED_AFTER_ONE)
def test_ambiguous_request_is_refused_and_the_connection_closed(server: tuple[str, int], request_: bytes) -> None:
    """B20: a second request that hides in the first is not answered."""
    answer = spoken(server, request_)

    assert answer[:12] in {b"HTTP/1.1 400", b"HTTP/1.1 431"}
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /econ/openapi.yaml HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
    ],
    ids=["a page", "the embedded service", "a form"],
)
def test_chunked_request_closes_its_connection(server: tuple[str, int], request_: bytes) -> None:
    """The next request on it is not answered."""
    answer = spoken(server, request_ + SECOND)

    assert answer[:12] == b"HTTP/1.1 400"
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answer.lower()


@pytest.mark.parametrize("path", ["/", "/healthz", "/econ/series", "/nope"])
def test_response_head_does_not_name_the_server_library(server: tuple[str, int], path: str) -> None:
    answer = spoken(server, f"GET {path} HTTP/1.1\r\nConnection: close\r\n".encode() + HOST + b"\r\n")

    assert b"\r\nserver: econweb\r\n" in answer.lower()
    assert b"granian" not in answer.partition(b"\r\n\r\n")[0]


@pytest.mark.parametrize("path", ["/econ/openapi.yaml", "/econ/series?series_id=GNPCA", "/series/GNPCA/", "/healthz"])
def test_raw_head_request_is_get_without_body(server: tuple[str, int], path: str) -> None:
    """B19"""
    answers = {
        method: spoken(server, f"{method} {path} HTTP/1.1\r\nConnection: close\r\n".encode() + HOST + b"\r\n")
        for method in ("GET", "HEAD")
    }

    head, _, body = answers["HEAD"].partition(b"\r\n\r\n")

    assert body == b""
    assert names_of(head) == names_of(answers["GET"].partition(b"\r\n\r\n")[0])


def names_of(head: bytes) -> list[bytes]:
    """The status, and the headers but for how the body is sent."""
    status, *headers = head.split(b"\r\n")
    names = {line.partition(b":")[0] for line in headers} - {b"content-length", b"transfer-encoding"}
    return [status, *sorted(names)]


@pytest.mark.parametrize("header", ODD.values(), ids=ODD)
def test_odd_request_header_is_accepted(server: tuple[str, int], header: bytes) -> None:
    """B21, A17"""
    for path in PATHS:
        started = time.monotonic()

        answer = spoken(
            server,
            b"GET %b HTTP/1.1\r\n" % path.encode() + HOST + b"Connection: close\r\n" + header + b"\r\n\r\n",
        )

        assert answer[9:12] in {b"200", b"206", b"304", b"400", b"404", b"416"}, path
        assert time.monotonic() - started < 10


def trickling(server: tuple[str, int], path: bytes, source: str, length: int = 60_000) -> socket.socket:
    connection = socket.create_connection(server, timeout=30, source_address=(source, 0))
    connection.sendall(b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\nu" % (path, HOST, length))
    return connection


def test_unused_request_body_is_not_waited_for(server: tuple[str, int]) -> None:
    """A14: the rest of the body never comes."""
    with trickling(server, b"/nowhere", "127.0.0.1") as connection:
        head = connection.recv(65536)

    assert head.startswith(b"HTTP/1.1 405")
    assert b"allow: GET, HEAD\r\n" in head.lower().replace(b"get, head", b"GET, HEAD")
    assert spoken(server, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n")[9:12] == b"200"


def test_slow_forms_of_one_client_do_not_block_others(server: tuple[str, int]) -> None:
    """A14"""
    with ExitStack() as stack:
        sent = [stack.enter_context(trickling(server, b"/admin/login/", "127.0.0.2")) for _ in range(21)]
        # One of them is refused as soon as the others are being read, whichever that is.
        refused = select(sent, [], [], 30)[0][0].recv(65536)
        form = b"POST /admin/login/ HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n" + HOST + b"\r\nu="
        answer = spoken(server, form)

    assert refused.startswith(b"HTTP/1.1 503")
    # The form was read, and has no token.
    assert answer.startswith(b"HTTP/1.1 403")


def test_half_sent_messages_of_three_clients_do_not_block_others(server: tuple[str, int]) -> None:
    """A14: of eight messages that are read at once, one client holds two."""
    sources = [f"127.0.0.{number}" for number in (2, 3, 4)]
    with ExitStack() as stack:
        for source in sources:
            sent = [stack.enter_context(trickling(server, b"/mcp", source, 100)) for _ in range(3)]
            refused = select(sent, [], [], 30)[0][0].recv(65536)
            assert refused.startswith(b"HTTP/1.1 503")
        ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
        head = b"POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
        answer = spoken(server, head % len(ping) + HOST + b"\r\n" + ping)

    assert answer.startswith(b"HTTP/1.1 200")
