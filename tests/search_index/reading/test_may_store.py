"""With `ECON_MAY_STORE=false`, nothing that a service sent is left on the disk."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.server import MANAGE, free_port, serve
from tests.startup.prepared import prepare
from tests.upstream.client_calls import KEY, environment_of
from tests.upstream.raw_server import Peer, http, listening
from tests.upstream.sample_replies import a_series, a_series_reply, a_tag, a_tags_reply, as_json

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
PLANTED = "plantedtextofaservice"
TAGS = http(as_json(a_tags_reply(a_tag(notes=PLANTED), a_tag(name=PLANTED, group_id="gen"))))
SERIES = http(as_json(a_series_reply(a_series(title=PLANTED, notes=PLANTED))))
FAILURE = http(as_json({"error_code": 400, "error_message": f"Bad Request. {PLANTED}"}), 400)


@pytest.fixture
def peer() -> Iterator[Peer]:
    with listening() as listener:
        yield listener


@contextmanager
def running(data: Path, log: list[str], **settings: str) -> Iterator[str]:
    """Serve for the block, and note the lines of the log."""
    port = free_port()
    address, process = f"http://127.0.0.1:{port}", serve(data, port, ROOT, MANAGE, 1, **settings)
    try:
        for _ in range(600):
            assert process.poll() is None
            try:
                requests.get(f"{address}/healthz", timeout=5)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        log.append(process.communicate(timeout=60)[0])


def files_with(data: Path, text: str) -> list[str]:
    wanted = text.encode()
    return [str(path) for path in data.rglob("*") if path.is_file() and wanted in path.read_bytes()]


def run(data: Path, peer: Peer, *arguments: str) -> str:
    environment = environment_of(peer, data)
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def test_nothing_of_a_reply_is_on_the_disk_after_a_restart(tmp_path: Path, peer: Peer) -> None:
    settings, log = {"ECON_BASE_URL": peer.url, "ECON_API_KEY": KEY}, list[str]()
    run(prepare(tmp_path, has_sample=False), peer, "labels", "import", "--sample")
    peer.will(TAGS, SERIES, FAILURE)
    with running(tmp_path, log, **settings) as address:
        pages = [
            requests.get(f"{address}{path}", timeout=30).text
            for path in ("/category/125/tags/", "/series/GNPCA/?realtime_start=2014-01-01", "/release/53/tags/")
        ]
        # Longer than a thread of the index waits before its first request.
        time.sleep(4)
    asked = len(peer.requests)
    with running(tmp_path, log, **settings) as address:
        requests.get(f"{address}/about/", timeout=30)

    assert PLANTED in pages[0]
    assert not any(f"category_id={number}&" in line for line in peer.requests[:asked] for number in (9, 106, 115))
    assert len(peer.requests) == asked
    assert files_with(tmp_path, PLANTED) == []
    assert PLANTED not in "".join(log)
    assert "There is no index of tags" in run(tmp_path, peer, "index", "--status")


def test_reader_of_serve_fills_the_index_where_it_may(tmp_path: Path, peer: Peer) -> None:
    """The reverse: the planted text is found where it may be."""
    settings, log = {"ECON_BASE_URL": peer.url, "ECON_API_KEY": KEY, "ECON_MAY_STORE": "true"}, list[str]()
    run(prepare(tmp_path, has_sample=False), peer, "labels", "import", "--sample")
    peer.will(TAGS)
    with running(tmp_path, log, **settings):
        for _ in range(300):
            if len(peer.requests) > 1:
                break
            time.sleep(0.1)

    assert len(peer.requests) > 1
    assert files_with(tmp_path, PLANTED)
    assert "Traceback" not in "".join(log)
