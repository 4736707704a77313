"""With LOG_FORMAT=json, `serve` writes its address, the reason of a failed start and the server's lines as JSON."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server import free_port, manage, served, workers_of

pytestmark = pytest.mark.slow


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("settings", "arguments", "words"),
    [
        ({"ECON_TIMEOUT": "soon"}, [], "ECON_TIMEOUT: is not a number of seconds. Example: ECON_TIMEOUT="),
        ({}, ["--host", "no.such.host.invalid"], "The host no.such.host.invalid is not known. "),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, [], "The database cannot be used: "),
    ],
    ids=["setting", "command", "database"],
)
def test_failed_start_is_one_line_of_json(
    tmp_path: Path, settings: dict[str, str], arguments: list[str], words: str
) -> None:
    ran = manage(tmp_path, "serve", "--port", str(free_port()), *arguments, LOG_FORMAT="json", **settings)

    (line,) = lines_of(ran.stderr)
    assert (ran.returncode, ran.stdout, line["level"]) == (1, "", "error")
    assert line["event"].startswith(words)
    assert line["timestamp"].endswith("Z")


def test_address_and_lines_of_the_server_are_json(tmp_path: Path) -> None:
    with served(tmp_path, LOG_FORMAT="json") as (address, process):
        (worker,) = workers_of(process.pid)
        os.kill(worker, signal.SIGKILL)
        while worker in workers_of(process.pid):
            time.sleep(0.05)
        time.sleep(0.5)
        process.terminate()
        assert process.stdout
        written = lines_of(process.stdout.read())

    assert {"event": "econweb serves", "address": address} in [
        {key: line.get(key) for key in ("event", "address")} for line in written
    ]
    assert [line["level"] for line in written if line["event"].startswith("Unexpected exit from worker")] == ["error"]
