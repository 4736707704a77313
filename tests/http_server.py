"""A server of the test, in a thread that ends with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from threading import Thread


@contextmanager
def running(server: HTTPServer) -> Iterator[str]:
    """Serve, and yield the address.

    A server that is closed and still runs would keep a processor busy until the last test.
    """
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
