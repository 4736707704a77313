"""A load on one server of this machine over kept connections: a job as JSON in, figures as JSON out."""

import json
import re
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from itertools import cycle
from typing import Any

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COME_BACK = re.compile(rb"\r\nretry-after: *(\d+)", re.IGNORECASE)
_LAST = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_WITHOUT_BODY = {204, 304}
_BUSY = 503
# After this many seconds of silence the request counts as lost.
_SILENCE = 30.0
_TRIES = 200


@dataclass
class Load:
    """The result of one run, times in seconds; a request is lost when its connection ends without a response."""

    requests: int = 0
    seconds: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    worst: float = 0.0
    # Body bytes of the last answer.
    size: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    # Connections that were not accepted; each is retried for a while.
    refused: int = 0
    # Answers 503: how long the slowest of a hundred took, and how many do not say when to come back.
    shed_p99: float = 0.0
    shed_in_silence: int = 0


@dataclass
class _Tally:
    """Counters of a running load."""

    times: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0
    refused: int = 0
    size: int = 0
    shed: list[float] = field(default_factory=list)
    shed_in_silence: int = 0
    # Connections that got `Retry-After`, and when each sends its next request.
    resting: list[tuple[float, int, "_Connection"]] = field(default_factory=list)

    def load(self, seconds: float) -> Load:
        times = sorted(self.times)
        return Load(
            requests=len(times),
            seconds=seconds,
            p50=_at(times, 0.50),
            p99=_at(times, 0.99),
            worst=_at(times, 1.0),
            size=self.size,
            statuses={str(status): count for status, count in sorted(self.statuses.items())},
            lost=self.lost,
            refused=self.refused,
            shed_p99=_at(sorted(self.shed), 0.99),
            shed_in_silence=self.shed_in_silence,
        )

    def note(self, connection: "_Connection", now: float) -> float:
        """Counts its answer; for how many seconds it has to rest now."""
        took = now - connection.begun
        self.times.append(took)
        self.statuses[connection.status] += 1
        self.size = connection.body_size()
        if connection.status != _BUSY:
            return 0.0
        self.shed.append(took)
        told = _COME_BACK.search(connection.buffer)
        self.shed_in_silence += told is None
        return float(told[1]) if told else 0.0


@dataclass
class _Connection:
    """One socket with at most one request under way."""

    address: tuple[str, int]
    wire: socket.socket = field(init=False)
    buffer: bytearray = field(default_factory=bytearray)
    # Bytes of headers and body together, once the headers have said so; -1 when chunks end it.
    expected: int = 0
    status: int = 0
    begun: float = 0.0

    def open(self) -> None:
        self.wire = socket.create_connection(self.address, timeout=_SILENCE)
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> None:
        self.buffer.clear()
        self.expected = 0
        self.begun = time.perf_counter()
        self.wire.sendall(request)

    def is_answered(self) -> bool:
        """Reads what has come; whether the answer is whole."""
        piece = self.wire.recv(262144)
        if not piece:
            raise ConnectionError
        self.buffer += piece
        if not self.expected:
            self._read_headers()
        if self.expected < 0:
            return self.buffer.endswith(b"0\r\n\r\n")
        return bool(self.expected) and len(self.buffer) >= self.expected

    def _read_headers(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        self.status = int(self.buffer[9:12])
        length = _LENGTH.search(self.buffer, 0, end)
        if self.status in _WITHOUT_BODY:
            self.expected = end + 4
        elif length:
            self.expected = end + 4 + int(length[1])
        elif _CHUNKED.search(self.buffer, 0, end):
            self.expected = -1
        else:
            self.expected = end + 4

    def is_last(self) -> bool:
        return bool(_LAST.search(self.buffer, 0, self.buffer.find(b"\r\n\r\n")))

    def body_size(self) -> int:
        return len(self.buffer) - self.buffer.find(b"\r\n\r\n") - 4


def run(job: dict[str, Any]) -> Load:
    """`requests` are sent in turn by `connections`, for `seconds` or, with `once`, until all were sent.

    With `patient`, a connection waits as long as `Retry-After` says.
    """
    tally, selector = _Tally(), selectors.DefaultSelector()
    encoded = [request.encode("latin-1") for request in job["requests"]]
    requests = iter(encoded) if job.get("once") else cycle(encoded)
    address = ("127.0.0.1", job["port"])
    begun = time.perf_counter()
    end = begun + job["seconds"]

    def read(seconds: float) -> bool:
        events = selector.select(seconds)
        now = time.perf_counter()
        for key, _ in events:
            _go_on(key.data, requests if now < end else iter(()), selector, tally, job.get("patient", False))
        return bool(events)

    for _ in range(job["connections"]):
        _begin(_Connection(address), requests, selector, tally)
        # An answer that waits until all connections are open would seem late.
        read(0)
    while selector.get_map() or tally.resting:
        now = time.perf_counter()
        while tally.resting and (tally.resting[0][0] <= now or now >= end):
            connection = heappop(tally.resting)[2]
            connection.wire.close()
            _begin(connection, requests if now < end else iter(()), selector, tally)
            read(0)
        rest = min(tally.resting[0][0], end) - now if tally.resting else _SILENCE
        if not read(max(0.0, rest)) and not tally.resting:
            tally.lost += len(selector.get_map())
            break
    return tally.load(time.perf_counter() - begun)


def _begin(connection: _Connection, requests: Iterator[bytes], selector: selectors.BaseSelector, tally: _Tally) -> None:
    request = next(requests, None)
    if request is None:
        return
    if not _is_open(connection, tally):
        return
    try:
        connection.send(request)
    except OSError:
        tally.lost += 1
        return
    selector.register(connection.wire, selectors.EVENT_READ, connection)


def _is_open(connection: _Connection, tally: _Tally) -> bool:
    for _ in range(_TRIES):
        try:
            connection.open()
        except OSError:
            tally.refused += 1
            time.sleep(0.02)
        else:
            return True
    return False


def _go_on(
    connection: _Connection,
    requests: Iterator[bytes],
    selector: selectors.BaseSelector,
    tally: _Tally,
    patient: bool,
) -> None:
    try:
        if not connection.is_answered():
            return
        now = time.perf_counter()
        rest = tally.note(connection, now)
        if rest and patient:
            selector.unregister(connection.wire)
            heappush(tally.resting, (now + rest, id(connection), connection))
            return
        if connection.is_last():
            selector.unregister(connection.wire)
            connection.wire.close()
            _begin(connection, requests, selector, tally)
            return
        request = next(requests, None)
        if request is not None:
            connection.send(request)
            return
    except OSError:
        tally.lost += 1
        selector.unregister(connection.wire)
        connection.wire.close()
        _begin(connection, requests, selector, tally)
        return
    selector.unregister(connection.wire)
    connection.wire.close()


def _at(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


if __name__ == "__main__":
    json.dump(asdict(run(json.loads(sys.stdin.readline()))), sys.stdout)
