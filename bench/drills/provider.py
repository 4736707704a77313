"""An OpenID provider that refuses every code."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def issuer() -> Iterator[str]:
    """Run the provider and return its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            names = {"authorization_endpoint": "begin", "token_endpoint": "token", "jwks_uri": "keys"}
            self._send(200, {"issuer": address, **{name: f"{address}/{path}" for name, path in names.items()}})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._send(400, {"error": "invalid_grant"})

        def _send(self, status: int, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    address = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield address
    finally:
        server.shutdown()
        server.server_close()
