"""A stand-in for the service, over HTTP: a test fills it, slows it down and breaks it while the program runs."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from econweb.upstream.errors import BadReply, Busy, NotFound, NotInPeriod, Unavailable, UpstreamError
from tests.fake_service import FakeService
from tests.http_server import running

# The wording of the contract; ARCHIVE stands for the name of a provider.
NO_PAST = "The series does not exist in ARCHIVE. Try setting realtime_start and realtime_end."
Reply = tuple[int, bytes, dict[str, str]]


class StandInService(FakeService):
    """A fake service that may be slow, and may have no past days of a series."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        self.without_past: set[str] = set()

    def get(self, endpoint: str, parameters: dict[str, str]) -> bytes:
        time.sleep(self.seconds)
        today = datetime.now(UTC).date().isoformat()
        if parameters.get("series_id") in self.without_past and parameters.get("realtime_start", today) < today:
            raise NotInPeriod(NO_PAST)
        return super().get(endpoint, parameters)

    def reply(self, endpoint: str, parameters: dict[str, str]) -> Reply:
        try:
            return 200, self.get(endpoint, parameters), {}
        except UpstreamError as error:
            return _failure(error)


def _failure(error: UpstreamError) -> Reply:
    """The reply that the program takes for this error."""
    if isinstance(error, BadReply):
        return 200, str(error).encode(), {}
    if isinstance(error, Unavailable):
        return 500, b"", {}
    if isinstance(error, Busy):
        return 429, b"", {"Retry-After": str(int(error.retry_after))}
    message = f"Bad Request.  {error}" if isinstance(error, NotFound) else str(error)
    return 400, json.dumps({"error_code": 400, "error_message": message}).encode(), {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, service: StandInService) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.service = service


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        endpoint = address.path.removeprefix("/econ/")
        status, body, headers = self.server.service.reply(endpoint, dict(parse_qsl(address.query)))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def run(service: StandInService) -> Iterator[str]:
    """Serve it, and yield its address."""
    with running(_Server(service)) as address:
        yield address
