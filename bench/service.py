"""A service that follows the contract from memory and misbehaves on demand; source 21000 has 1000 tags."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, urlsplit

from bench.tags import Row, tags

KEY = "0123456789abcdef0123456789abcdef"
MIB = 1024 * 1024
_TODAY = "2026-11-20"
_SERIES = {
    "realtime_start": _TODAY,
    "realtime_end": _TODAY,
    "title": "Real Gross National Product",
    "observation_start": "1929-01-01",
    "observation_end": "2025-01-01",
    "frequency": "Annual",
    "frequency_short": "A",
    "units": "Billions of Chained 2017 Dollars",
    "units_short": "Bil. of Chn. 2017 $",
    "seasonal_adjustment": "Not Seasonally Adjusted",
    "seasonal_adjustment_short": "NSA",
    "last_updated": "2026-10-29 07:52:21-05",
    "popularity": 33,
    "notes": "BEA Account Code: A001RX.",
}


class Service(ThreadingHTTPServer):
    """`mode` is how it answers: `good`, `failing`, `silent`, `dripping`, `lying`, `slow` or `wordy`."""

    daemon_threads = True
    request_queue_size = 512
    # A drill that ends does not wait for its silent connections.
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mode = "good"
        self.asked: Counter[str] = Counter()
        self.moments: list[float] = []
        self.lock = Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def settings(self) -> dict[str, str]:
        return {"ECON_BASE_URL": self.url, "ECON_API_KEY": KEY, "ECON_REQUESTS_PER_MINUTE": "100000"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.asked[urlsplit(self.path).path] += 1
            self.server.moments.append(time.monotonic())
        getattr(self, f"_be_{self.server.mode}")(_body(self.path))

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: what was asked is counted."""

    def _be_good(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _be_failing(self, body: bytes) -> None:
        self._be_good(b"<html><body>Out of order</body></html>", 503)

    def _be_silent(self, body: bytes) -> None:
        time.sleep(60)

    def _be_slow(self, body: bytes) -> None:
        time.sleep(0.4)
        self._be_good(body)

    def _be_dripping(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            for position in range(60):
                self.wfile.write(body[position : position + 1])
                time.sleep(1)
        except OSError:
            self.close_connection = True

    def _be_lying(self, body: bytes) -> None:
        self._be_good(body.replace(b'"series_count":', b'"series_count":"many",'))

    def _be_wordy(self, body: bytes) -> None:
        """The group of each tag has an id of its own and of a megabyte."""
        source = re.sub(rb"[^0-9]", b"", self.path.encode()) + b" " * MIB
        self._be_good(body.replace(b'"group_id":"', b'"group_id":"%s' % source[:MIB].replace(b" ", b"x")))


@contextmanager
def service() -> Iterator[Service]:
    with Service() as running:
        Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield running
        finally:
            running.shutdown()


def _body(path: str) -> bytes:
    parts = urlsplit(path)
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    if parts.path == "/econ/series":
        seriess = [_SERIES | {"id": asked["series_id"]}]
        return _json({"realtime_start": _TODAY, "realtime_end": _TODAY, "seriess": seriess})
    source = int(asked.get("category_id") or asked["release_id"])
    return _tags_body(source, asked.get("search_text", ""), int(asked["offset"]), int(asked["limit"]))


def _tags_body(source: int, search_text: str, offset: int, limit: int) -> bytes:
    words = search_text.split()
    rows = [row for row in _by_name(source) if all(word in row["name"] for word in words)]
    reply = {"realtime_start": _TODAY, "realtime_end": _TODAY, "order_by": "name", "sort_order": "asc"}
    page = rows[offset : offset + limit]
    return _json(reply | {"count": len(rows), "offset": offset, "limit": limit, "tags": page})


@cache
def _by_name(source: int) -> list[Row]:
    return sorted(tags(source), key=lambda row: row["name"])


def _json(reply: dict[str, object]) -> bytes:
    return json.dumps(reply, separators=(",", ":")).encode()
