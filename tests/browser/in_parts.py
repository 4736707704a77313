"""A proxy that sends a page in small parts, as a slow line or a busy machine does."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import requests

from tests.http_server import running

PART_BYTES, PAUSE_SECONDS = 1_500, 0.05


def parts_of(page: bytes) -> list[bytes]:
    """Cut the page into small parts, one of which ends where the footer begins."""
    footer = page.index(b"<p>", page.index(b"<footer"))
    starts = sorted({*range(0, len(page), PART_BYTES), footer})
    return [page[start:end] for start, end in pairwise([*starts, len(page)])]


@contextmanager
def sent_in_parts(origin: str) -> Iterator[str]:
    """Serve the pages of the origin in parts, and its files at once."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = requests.get(origin + self.path, timeout=30)
            kind = found.headers.get("Content-Type", "")
            self.send_response(found.status_code)
            self.send_header("Content-Type", kind)
            self.end_headers()
            # A window that has enough closes the connection.
            with suppress(OSError):
                for part in parts_of(found.content) if kind.startswith("text/html") else [found.content]:
                    self.wfile.write(part)
                    self.wfile.flush()
                    time.sleep(PAUSE_SECONDS)

        def log_message(self, *_: object) -> None:
            pass

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as address:
        yield address
