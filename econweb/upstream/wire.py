"""The adapter for a service at the other end of a network: bounded in time and in bytes on every level."""

import io
import socket
from http.client import HTTPResponse
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.connection import create_connection

from econweb.upstream.addresses import addresses_of
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import NOT_IN_TIME, TOO_LONG, BadReply, Unavailable

MIB = 1024 * 1024
MOST_BYTES = 8 * MIB
# What headers and the frames of chunks may add to a body.
_MOST_FROM_THE_SOCKET = MOST_BYTES + MIB
CONNECTIONS = 8


class Wire(HTTPAdapter):
    """Mount it for `https://` and `http://`; it neither retries nor waits for a free connection."""

    def __init__(self) -> None:
        super().__init__(pool_connections=1, pool_maxsize=CONNECTIONS, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}


class _TimedSocket(io.RawIOBase):
    """What one answer is read from. A socket's timeout is for each packet; here it is for all of them."""

    def __init__(self, raw: io.RawIOBase, connection: socket.socket) -> None:
        super().__init__()
        self._raw, self._connection = raw, connection
        self._deadline = Deadline(connection.gettimeout() or 0.0)
        self._bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline.left()
        if not left:
            raise Unavailable(NOT_IN_TIME)
        if self._bytes > _MOST_FROM_THE_SOCKET:
            raise BadReply(TOO_LONG)
        self._connection.settimeout(left)
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
        """Past all that is said on the way: else the answer itself would be that to the next request."""
        super().begin()
        while 101 < self.status < 200:
            self.headers = None
            super().begin()
        # What follows one of these is no part of it, and must not be read as another answer.
        if self.status in {101, 204, 205, 304}:
            self.will_close = True


def _connected(connection: HTTPConnection) -> socket.socket:
    """The name is looked up here, so that what was allowed is what is connected to."""
    deadline = Deadline(float(connection.timeout or 0))
    addresses = addresses_of(connection.host, connection.port, deadline.left())
    for number, address in enumerate(addresses):
        # One that says nothing leaves the others their share.
        share = deadline.left() / (len(addresses) - number)
        try:
            opened = create_connection(
                (address, connection.port),
                max(share, 0.01),
                source_address=connection.source_address,
                socket_options=connection.socket_options,
            )
        except OSError:
            continue
        # What is left is for the handshake of TLS.
        opened.settimeout(max(deadline.left(), 0.01))
        return opened
    if not deadline.left():
        raise Unavailable("The service cannot be reached: it does not answer in time.")
    raise Unavailable("The service cannot be reached: it does not accept a connection.", passing=True)


class _Connection(HTTPConnection):
    response_class = _TimedResponse
    _new_conn = _connected


class _SecureConnection(HTTPSConnection):
    response_class = _TimedResponse
    _new_conn = _connected


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection
