"""HTTP with a deadline and a bound for each whole reply: the timeout of a socket starts again with each packet."""

import io
import socket
import ssl
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util.ssl_ import create_urllib3_context

# Of one reply, with its headers and chunk framing; callers bound the body more tightly.
MAX_SOCKET_BYTES = 9 * 1024 * 1024
# The words for a failed connection, by kind.
CAUSES: dict[type[Exception], str] = {
    socket.gaierror: "its host name has no address",
    ConnectionRefusedError: "nothing listens at its port",
    TimeoutError: "no answer in time",
}


class ReplyTooLong(Exception):
    """The reply is longer than its bound."""


class _TimedSocket(io.RawIOBase):
    """The stream of one reply; its deadline is the timeout of the connection when the reply begins."""

    def __init__(self, raw: io.RawIOBase, connection: socket.socket) -> None:
        super().__init__()
        self._raw, self._connection = raw, connection
        self._end = time.monotonic() + (connection.gettimeout() or 0.0)
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        remaining = self._end - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        if self._bytes > MAX_SOCKET_BYTES:
            raise ReplyTooLong
        self._connection.settimeout(remaining)
        read: int | None = self._raw.readinto(buffer)
        self._bytes += read or 0
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class TimedResponse(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp: Any = io.BufferedReader(_TimedSocket(self.fp.detach(), sock))
        self.headers: Any

    def begin(self) -> None:
        """Skip interim (1xx) replies: else the final one would be read as the reply to the next request."""
        super().begin()
        while 101 < self.status < 200:
            self.headers = None
            super().begin()
        # These have no body; bytes that follow must not be read as the next reply.
        if self.status in {101, 204, 205, 304}:
            self.will_close = True


class TimedConnection(HTTPConnection):
    response_class = TimedResponse


class SecureTimedConnection(HTTPSConnection):
    response_class = TimedResponse


def isolate(session: requests.Session) -> None:
    """Let the session take no proxy or password from the environment, and no cookie: its requests carry a secret."""
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))


def read_body(reply: requests.Response, max_bytes: int) -> bytes:
    """Return the body as it was sent; raise ReplyTooLong for a longer one."""
    pieces, size = [], 0
    for piece in reply.raw.stream(65536, decode_content=False):
        pieces.append(piece)
        size += len(piece)
        if size > max_bytes:
            raise ReplyTooLong
    return b"".join(pieces)


def name_cause(failure: BaseException, own_authority: str = "ECON_CA_FILE names an authority of your own") -> str:
    """Return why a connection failed, without the text of the failure, which may repeat what was sent."""
    for cause in _causes(failure):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"{cause.verify_message}; {own_authority}"
        if words := next((words for kind, words in CAUSES.items() if isinstance(cause, kind)), ""):
            return words
    return type(failure).__name__


def _causes(failure: BaseException) -> Iterator[BaseException]:
    """Yield the failure, and those that it was raised for; each library holds on to them in its own way."""
    cause: Any = failure
    while isinstance(cause, BaseException):
        yield cause
        inner = getattr(cause, "reason", None) or next(iter(cause.args), None)
        cause = inner if isinstance(inner, BaseException) else cause.__cause__ or cause.__context__


class TimedAdapter(HTTPAdapter):
    """An adapter of requests for such connections; it trusts the authorities of `ca_file` beside the public ones."""

    plain_connection: type[HTTPConnection] = TimedConnection
    secure_connection: type[HTTPSConnection] = SecureTimedConnection

    def __init__(self, ca_file: str, **options: Any) -> None:
        self._tls: dict[str, Any] = {}
        if ca_file:
            # requests adds the public authorities to this context.
            self._tls = {"ssl_context": create_urllib3_context()}
            self._tls["ssl_context"].load_verify_locations(ca_file)
        super().__init__(**options)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **(kwargs | self._tls))

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        return super().proxy_manager_for(proxy, **(kwargs | self._tls))

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        """Return the pool of a host, after choosing the class of the connections that it opens."""
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = self.secure_connection if pool.scheme == "https" else self.plain_connection
        return pool
