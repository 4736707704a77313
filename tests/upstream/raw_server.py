"""A service on a raw socket, for replies that no web server sends."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Behaviour = Callable[[socket.socket], None]


def http(body: bytes = b"", status: int = 200, *headers: str, length: int | None = None) -> bytes:
    """One whole answer; a `length` that is given may lie."""
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status} Words", f"Content-Length: {size}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def sends(*pieces: bytes, then: Behaviour | None = None) -> Behaviour:
    def behaviour(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(piece)
        if then:
            then(connection)

    return behaviour


def closes(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def resets(connection: socket.socket) -> None:
    """Close at once and answer with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    connection.close()


def waits(connection: socket.socket) -> None:
    """Say nothing until the client gives up."""
    connection.settimeout(10)
    with suppress(OSError):
        connection.recv(1)
    closes(connection)


def drips(text: bytes, seconds: float = 0.02) -> Behaviour:
    def behaviour(connection: socket.socket) -> None:
        for byte in text:
            connection.sendall(bytes([byte]))
            time.sleep(seconds)

    return behaviour


class Peer:
    """Answers each request with the next behaviour; the last one stays."""

    def __init__(self, certificate: ssl.SSLContext | None = None, port: int = 0) -> None:
        self.behaviours: list[Behaviour] = []
        self.requests: list[str] = []
        self.moments: list[float] = []
        self.certificate = certificate
        self._lock = threading.Lock()
        self.connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", port), backlog=600)
        self.port = int(self._listener.getsockname()[1])
        self.url = f"http{'s' if certificate else ''}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def will(self, *behaviours: Behaviour | bytes) -> None:
        self.behaviours = [sends(each) if isinstance(each, bytes) else each for each in behaviours]

    def close(self) -> None:
        # Closing alone does not wake a thread that waits in accept.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            if self.certificate:
                connection = self.certificate.wrap_socket(connection, server_side=True)
                self.connections.append(connection)
            while request := _request(connection):
                self._next(request)(connection)
        connection.close()

    def _next(self, request: str) -> Behaviour:
        with self._lock:
            self.requests.append(request)
            self.moments.append(time.monotonic())
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


def _request(connection: socket.socket) -> str:
    """Read a request up to the empty line; return an empty text when the other end has gone."""
    text = b""
    while not text.endswith(b"\r\n\r\n"):
        byte = connection.recv(4096)
        if not byte:
            return ""
        text += byte
    return text.decode("latin-1")


@contextmanager
def listening(certificate: ssl.SSLContext | None = None, port: int = 0) -> Iterator[Peer]:
    peer = Peer(certificate, port)
    try:
        yield peer
    finally:
        peer.close()
