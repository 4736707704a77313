"""Priorities of log lines in the journal of systemd: `journalctl -p warning` finds what is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.test_log_config import visited
from tests.server import ROOT, environment, free_port

pytestmark = pytest.mark.slow

VISIT = """
import django; django.setup()
import logging
import structlog
ours, library = structlog.get_logger("ours"), logging.getLogger("some.library")
ours.info("asked")
ours.warning("the circuit breaker opened")
library.info("heard")
library.critical("lost")
try:
    raise ValueError("wrong")
except ValueError:
    ours.exception("a thread ended")
    library.exception("it broke")
"""


def journal_of(file: Path) -> dict[str, str]:
    """Return the variable with which systemd says that this file is its journal."""
    file.touch()
    return {"JOURNAL_STREAM": f"{file.stat().st_dev}:{file.stat().st_ino}"}


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_each_line_for_the_journal_begins_with_its_priority(tmp_path: Path, log_format: str) -> None:
    journal = tmp_path / "journal"
    settings = journal_of(journal)
    with journal.open("w") as stderr:
        visited(tmp_path, log_format, VISIT, stderr, **settings)

    lines = journal.read_text().splitlines()
    priorities = {words: line[:3] for words in ("asked", "opened", "heard", "lost") for line in lines if words in line}
    assert priorities == {"asked": "<6>", "opened": "<4>", "heard": "<6>", "lost": "<2>"}
    # A traceback is of many lines in the text, and the journal reads each by itself.
    rest = lines[4:]
    assert [line[:3] for line in rest] == ["<3>"] * len(rest)
    assert len(rest) == 2 if log_format == "json" else len(rest) > 6
    assert log_format == "text" or {json.loads(line[3:])["level"] for line in rest} == {"error"}


def test_other_stream_than_the_journal_has_no_priorities(tmp_path: Path) -> None:
    """A command that a service starts writes to a stream of its own."""
    settings = journal_of(tmp_path / "journal")

    assert (
        "<"
        not in visited(
            tmp_path,
            "text",
            'import django; django.setup(); import structlog\nstructlog.get_logger("ours").warning("opened")',
            **settings,
        ).stderr
    )


@pytest.mark.parametrize("wrong", [{"ECON_TIMEOUT": "soon"}, {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}])
@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid"])
def test_failed_start_is_an_error_in_the_journal(tmp_path: Path, wrong: dict[str, str], host: str) -> None:
    journal = tmp_path / "journal"
    settings = environment(tmp_path) | journal_of(journal) | wrong
    command = [sys.executable, "manage.py", "serve", "--host", host, "--port", str(free_port())]
    with journal.open("w") as stderr:
        ran = subprocess.run(command, cwd=ROOT, env=settings, stderr=stderr, check=False)

    assert (ran.returncode, journal.read_text()[:3], journal.read_text().count("\n")) == (1, "<3>", 1)
