"""What is written down: readable or JSON, never a query string or a key."""

import json
import os
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

ROOT = Path(__file__).resolve().parent.parent
KEY = "plantedkey0123456789plantedkey01"

# An address that Django would redirect to, were it shorter.
LONG = {"path": "/series/" + "A" * 6000, "QUERY_STRING": "q=" + "x" * 12_000}

# A visit to a page, a library that prints a whole address, and a crash.
VISIT = f"""
import django; django.setup()
import logging
import structlog
from django.core.management import call_command
from django.test import Client
from econweb.static_files import collect_when_stale
call_command("migrate", verbosity=0)
collect_when_stale()
client = Client(raise_request_exception=False)
client.get("/series/GNPCA/?secret=value", headers={{"X-Request-ID": "visit-1"}})
client.get("/econ/series?api_key={KEY}&series_id=GNPCA")
logging.getLogger("urllib3").warning("GET %s HTTP/1.1", "/econ/series?series_id=X&api_key={KEY}")
try:
    raise ValueError("https://data.example.org/econ/series?api_key={KEY}")
except ValueError:
    logging.getLogger("some.library").exception("it broke")
structlog.get_logger("ours").info("asked", params={{"key": "{KEY}"}}, key=["{KEY}"], line="a b&api_key={KEY}")
client.get("/econ/series-%3fapi_key={KEY}")
"""


def written(tmp_path: Path, log_format: str) -> str:
    ours = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "LOG_FORMAT": log_format,
        "DJANGO_SETTINGS_MODULE": "econweb.settings",
        "ALLOWED_HOSTS": "testserver",
        "ECON_API_KEY": KEY,
    }
    visit = subprocess.run(
        [sys.executable, "-c", VISIT], cwd=ROOT, env=ours, capture_output=True, text=True, check=True
    )
    return visit.stdout + visit.stderr


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_no_query_and_no_key_is_written(tmp_path: Path, log_format: str) -> None:
    output = written(tmp_path, log_format)

    assert "/series/GNPCA/" in output
    assert "it broke" in output
    assert "secret" not in output
    assert KEY not in output


def test_a_collector_gets_json_with_the_request_id_on_every_line_of_a_request(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in written(tmp_path, "json").splitlines()]

    page = next(line for line in lines if line.get("path") == "/series/GNPCA/")
    assert page["request_id"] == "visit-1"
    assert page["status"] == 404
    assert page["logger"] == "econweb.requests"
    assert any(line["logger"] == "some.library" and "ValueError" in line["exception"] for line in lines)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [{"headers": {"Host": "evil.example"}}, {"data": {"q": "x" * 100_000}}, LONG]
)
def test_a_request_that_cannot_be_served_leaves_a_line_and_no_trace(
    client: Client, caplog: pytest.LogCaptureFixture, wrong: dict[str, Any]
) -> None:
    assert client.post(**{"path": "/go", **wrong}).status_code == 400

    told = [record for record in caplog.records if record.name.startswith("django.security")]
    assert told
    assert not any(record.exc_info for record in caplog.records)


def test_a_line_that_cannot_be_written_takes_no_answer_along(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P2: the disk behind the log is full."""

    class Full:
        def write(self, text: str) -> None:
            raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())

    assert client.get("/healthz").status_code == 200
