"""Log lines: readable or JSON, never with a query string or a key."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from econweb.config import log_writer
from econweb.config.log_writer import LogWriter
from tests.server import ROOT
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow


KEY = "plantedkey0123456789plantedkey01"

# An address that Django would redirect to, were it shorter.
LONG = {"path": "/series/" + "A" * 6000, "QUERY_STRING": "q=" + "x" * 12_000, "REQUEST_METHOD": "GET"}

# A visit to a page, a library that prints a whole address, and a crash.
VISIT = f"""
import django; django.setup()
import logging
import structlog
from django.test import Client
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


# A thousand answers, each with its line.
SMALL_VISIT = """
import django; django.setup()
from django.test import Client
client = Client()
for _ in range(1000): print(client.get("/healthz").status_code)
"""


def visited(
    tmp_path: Path, log_format: str, visit: str, stderr: Any = subprocess.PIPE, **more: str
) -> subprocess.CompletedProcess[str]:
    ours = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "LOG_FORMAT": log_format,
        "DJANGO_SETTINGS_MODULE": "econweb.settings",
        "ALLOWED_HOSTS": "testserver",
        "ECON_API_KEY": KEY,
        **more,
    }
    return subprocess.run(
        # A warning of a library would go to the stream past the log.
        [sys.executable, "-W", "ignore", "-c", visit],
        cwd=ROOT,
        env=ours,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=True,
    )


def written(tmp_path: Path, log_format: str) -> str:
    visit = visited(prepare(tmp_path, has_sample=False), log_format, VISIT)
    return visit.stdout + visit.stderr


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_log_has_no_query_and_no_key(tmp_path: Path, log_format: str) -> None:
    output = written(tmp_path, log_format)

    assert "/series/GNPCA/" in output
    assert "it broke" in output
    assert "secret" not in output
    assert KEY not in output


def test_log_json_lines_have_the_request_id(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in written(tmp_path, "json").splitlines()]

    page = next(line for line in lines if line.get("path") == "/series/GNPCA/")
    assert page["request_id"] == "visit-1"
    assert page["status"] == 404
    assert (page["logger"], page["event"], page["method"]) == ("econweb.requests", "request", "GET")
    assert any(line["logger"] == "some.library" and "ValueError" in line["exception"] for line in lines)


# Anybody can send these: a foreign host, too many parameters, a form without its token.
REFUSED = """
import django; django.setup()
from django.test import Client
client = Client(raise_request_exception=False, enforce_csrf_checks=True)
print(client.get("/", headers={"Host": "evil.example"}).status_code)
print(client.get("/search/?" + "&".join(["q=1"] * 3000)).status_code)
print(client.post("/me/watches/", {"stop": 1}).status_code)
"""


def test_log_has_no_warning_of_a_request_that_an_outsider_got_refused(tmp_path: Path) -> None:
    visit = visited(prepare(tmp_path, has_sample=False), "json", REFUSED)

    lines = [json.loads(line) for line in visit.stderr.splitlines()]
    assert visit.stdout.split() == ["400", "400", "403"]
    assert {line["level"] for line in lines} == {"info"}, visit.stderr
    # An administrator is not told to add the name that a stranger chose.
    assert "ALLOWED_HOSTS" not in visit.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "status"),
    [({"headers": {"Host": "evil.example"}}, 400), ({"data": {"q": "x" * 100_000}}, 413), (LONG, 400)],
)
def test_log_line_of_an_unserved_request_has_no_traceback(
    client: Client, caplog: pytest.LogCaptureFixture, wrong: dict[str, Any], status: int
) -> None:
    assert client.post(**{"path": "/admin/login/", **wrong}).status_code == status

    # A form that is too large is refused before it is read, which is no event of security.
    logger = "django.security" if status == 400 else "django.request"
    assert [record for record in caplog.records if record.name.startswith(logger)]
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("log", ["full disk", "closed pipe"])
def test_log_failure_does_not_fail_the_request(tmp_path: Path, log: str) -> None:
    """P2: the disk of the log is full, or its reader has closed the pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    with Path("/dev/full").open("w") as full:
        visit = visited(tmp_path, "text", SMALL_VISIT, stderr=full if log == "full disk" else writer)
    os.close(writer)

    assert visit.stdout.split() == ["200"] * 1000


def test_log_reader_that_stalls_delays_no_request(tmp_path: Path) -> None:
    """A10"""
    reader, writer = os.pipe()
    with suppress(BlockingIOError):
        os.set_blocking(writer, False)
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    visit = visited(tmp_path, "text", SMALL_VISIT, stderr=writer)
    os.close(writer)
    os.close(reader)

    assert visit.stdout.split() == ["200"] * 1000


def test_log_reports_dropped_lines_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A10"""
    reader, writer = os.pipe()
    monkeypatch.setattr(log_writer, "_STDERR", writer)
    log = LogWriter(lambda count: log.write(f"{count} log lines could not be written\n"))
    for _ in range(40):
        log.write("y" * 65_536 + "\n")
    text = b""
    while b"could not be written" not in text:
        text += os.read(reader, 65_536)
    os.close(writer)
    os.close(reader)

    dropped = int(re.findall(rb"(\d+) log lines could not be written", text)[0])
    assert text.count(b"y\n") + dropped == 40
    assert dropped > 0


def test_log_escapes_terminal_control_characters(tmp_path: Path) -> None:
    """A25"""
    signs = ["\x9b2J", "\x85", "\u202e", "\u2066", "\u2028", "\x1b[2J"]
    visit = f"""
import django; django.setup()
import logging
import structlog
for sign in {signs!r}:
    structlog.get_logger("ours").info("asked", path="/x" + sign + "y")
    logging.getLogger("some.library").warning("it said %s", "x" + sign + "y")
"""
    output = visited(tmp_path, "text", visit).stderr

    assert [sign for sign in signs if sign[0] in output] == []
    assert output.count("it said x") == len(signs)


def test_log_has_no_password_of_a_url(tmp_path: Path) -> None:
    """A28: the page that Django shows with DEBUG prints the settings."""
    code = """
import django; django.setup()
import structlog
from django.conf import settings
from django.test import Client
print(Client(raise_request_exception=False).get("/", headers={"host": "evil.example"}).text)
structlog.get_logger("ours").info("cannot connect", address=settings.CACHE_URL)
structlog.get_logger("ours").info("cannot connect", words="plantedword% of postgresql://me:xyz@db/econ")
structlog.get_logger("ours").info("cannot send", words="login: hiddenword")
"""
    ours = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "econweb.settings",
        "DEBUG": "true",
        "CACHE_URL": "redis://:plantedword%25@127.0.0.1:6379/0",
        "DATABASE_URL": "postgresql://me:xyz@127.0.0.1/econ",
        "EMAIL_URL": "smtps://user:hiddenword@127.0.0.1?from=portal@example.org",
    }
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=ours, capture_output=True, text=True, check=True)

    output = shown.stdout + shown.stderr
    assert "CACHE_URL" in output
    assert "cannot connect" in output
    assert "plantedword" not in output
    assert "hiddenword" not in output
    assert "xyz@" not in output
