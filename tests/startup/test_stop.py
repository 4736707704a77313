"""The end of the program while requests are under way."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event

import pytest
import requests

from tests.http_server import running
from tests.server import served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_request_that_waits_for_the_service_is_answered_before_the_end(tmp_path: Path, ending: signal.Signals) -> None:
    arrived, goes_on = Event(), Event()

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            arrived.set()
            goes_on.wait(30)
            self.send_error(400)

        def log_message(self, format: str, *args: object) -> None:
            """Stay silent."""

    with (
        running(ThreadingHTTPServer(("127.0.0.1", 0), Service)) as service,
        served(tmp_path, ECON_BASE_URL=service, ECON_API_KEY="abcdef" * 5 + "01") as (address, process),
        ThreadPoolExecutor(1) as reader,
    ):
        answer = reader.submit(requests.get, f"{address}/series/GNPCA/", timeout=60)
        assert arrived.wait(60)
        process.send_signal(ending)
        # Longer than an idle program takes to end.
        time.sleep(3)
        goes_on.set()

        assert "<h1" in answer.result().text
        assert process.wait(60) == 0
