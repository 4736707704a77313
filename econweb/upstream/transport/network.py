"""The requests adapter for a remote service: bounds the total time and the bytes of every reply."""

import io
import socket
from http.client import HTTPResponse
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.connection import create_connection

from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_IN_TIME, TOO_LONG, BadReply, Unavailable
from econweb.upstream.transport.dns import resolve

MIB = 1024 * 1024
MAX_REPLY_BYTES = 8 * MIB
# Headers and chunk framing add to the body.
_MAX_SOCKET_BYTES = MAX_REPLY_BYTES + MIB
MAX_CONNECTIONS = 8


class DeadlineAdapter(HTTPAdapter):
    """An adapter for `https://` and `http://` that neither retries nor waits for a free connection."""

    def __init__(self) -> None:
        super().__init__(pool_connections=1, pool_maxsize=MAX_CONNECTIONS, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}


class _TimedSocket(io.RawIOBase):
    """The stream of one reply with a total deadline; a socket's own timeout starts again with each packet."""

    def __init__(self, raw: io.RawIOBase, connection: socket.socket) -> None:
        super().__init__()
        self._raw, self._connection = raw, connection
        self._deadline = Deadline(connection.gettimeout() or 0.0)
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        remaining = self._deadline.remaining()
        if not remaining:
            raise Unavailable(NOT_IN_TIME)
        if self._bytes > _MAX_SOCKET_BYTES:
            raise BadReply(TOO_LONG)
        self._connection.settimeout(remaining)
        read: int | None = self._raw.readinto(buffer)
        self._bytes += read or 0
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(HTTPResponse):
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


def _connect(connection: HTTPConnection) -> socket.socket:
    """Look up the name and connect to the address that was checked, not to a second look-up's."""
    deadline = Deadline(float(connection.timeout or 0))
    addresses = resolve(connection.host, connection.port, deadline.remaining())
    for number, address in enumerate(addresses):
        # An address that does not respond leaves the others their share of the time.
        share = deadline.remaining() / (len(addresses) - number)
        try:
            opened = create_connection(
                (address, connection.port),
                max(share, 0.01),
                source_address=connection.source_address,
                socket_options=connection.socket_options,
            )
        except OSError:
            continue
        # The rest of the time is for the TLS handshake.
        opened.settimeout(max(deadline.remaining(), 0.01))
        return opened
    if not deadline.remaining():
        raise Unavailable("The data provider cannot be reached: it does not answer in time.")
    raise Unavailable("The data provider cannot be reached: it does not accept a connection.", is_retryable=True)


class _Connection(HTTPConnection):
    response_class = _TimedResponse
    _new_conn = _connect


class _SecureConnection(HTTPSConnection):
    response_class = _TimedResponse
    _new_conn = _connect


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection
