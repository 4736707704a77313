"""A proxy that sends a page in small parts, as a slow line or a busy machine does."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import requests

PART_BYTES, PAUSE_SECONDS = 1_500, 0.05


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
            part = PART_BYTES if kind.startswith("text/html") else max(1, len(found.content))
            # A window that has enough closes the connection.
            with suppress(OSError):
                for start in range(0, len(found.content), part):
                    self.wfile.write(found.content[start : start + part])
                    self.wfile.flush()
                    time.sleep(PAUSE_SECONDS)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
