"""The output of a load: on a terminal, interrupted, in any time zone."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from econweb.catalogue.loading import generate
from econweb.catalogue.loading.progress import Progress
from tests.builders import write_catalogue
from tests.catalogue.api_calls import a_catalogue
from tests.server import ROOT, environment
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

BAR = r"\r[█░]{30} +[0-9]+%  [0-9]+\.[0-9] MB/s  [0-9]+ s left \x1b\[K"
CLEAN = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("econweb.catalogue.loading.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_progress_bar_on_a_terminal_is_always_removed(clock: list[float]) -> None:
    out = Terminal()

    def fail_half_way() -> None:
        with Progress(out) as shown:
            shown.expect(4_000_000)
            clock[0] += 2
            shown.advance(1_000_000)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()

    assert out.getvalue() == f"\r{'█' * 8}{'░' * 22}  25%  0.5 MB/s  6 s left \x1b[K{CLEAN}"


def test_progress_without_a_terminal_is_occasional_lines(clock: list[float]) -> None:
    out = io.StringIO()

    with capture_logs() as logs, Progress(out) as shown:
        shown.expect(4_000_000)
        for _ in range(4):
            clock[0] += 5
            shown.advance(1_000_000)

    assert out.getvalue() == ""
    assert [line["done"] for line in logs] == ["50%", "100%"]


def own(data: Path) -> dict[str, str]:
    """The environment of a process with its own files, and with the database server of this run, if any."""
    server = {"DATABASE_URL": os.environ["DATABASE_URL"]} if "DATABASE_URL" in os.environ else {}
    return {**environment(data), **server}


class Load:
    """A process with a terminal of its own."""

    def __init__(self, data: Path, folder: Path) -> None:
        self._mine, its = pty.openpty()
        command = [sys.executable, "manage.py", "load_catalogue", str(folder)]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=own(data),
            stdout=subprocess.DEVNULL,
            stderr=its,
            # A shell that runs the tests in the background has them ignore Ctrl-C, and all that they start.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  it takes no lock
        )
        os.close(its)
        self.seen = ""

    def read_until(self, pattern: str) -> None:
        """Read until the pattern matches, or to the end."""
        while not re.search(pattern, self.seen):
            try:
                piece = os.read(self._mine, 4096)
            except OSError:
                break
            self.seen += piece.decode()

    def end(self) -> int:
        self.read_until("never")
        os.close(self._mine)
        return self.process.wait(30)


def manage(data: Path, *arguments: str, **more: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**own(data), **more},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_interrupted_load_is_reported_and_keeps_old_catalogue(tmp_path: Path) -> None:
    data, old, new = (tmp_path / name for name in ("data", "old", "new"))
    old.mkdir()
    write_catalogue(old, **a_catalogue({"A": ["usa"]}))
    generate.generate(20_000, 1, new)
    manage(prepare(data, has_sample=False), "manage.py", "load_catalogue", str(old))

    load = Load(data, new)
    load.read_until(BAR)
    load.process.send_signal(signal.SIGINT)

    assert load.end() == 130
    assert re.fullmatch(
        f"({BAR})+{re.escape(CLEAN)}CommandError: Nothing is loaded. The load was stopped.\r\n", load.seen
    )
    assert "already" in manage(data, "manage.py", "load_catalogue", str(old))
    assert " are loaded." in manage(data, "manage.py", "load_catalogue", str(new))


ANSWER = """
import django, sys; django.setup()
from django.conf import settings
from django.core.management import call_command
from django.test import Client
call_command("load_catalogue", sys.argv[1], stdout=sys.stderr)
asked = {"release_id": "53", "api_key": settings.CATALOGUE_OWN_KEY, "file_type": "json"}
answer = Client().get("/econ/release/tags", asked)
asked["realtime_start"] = answer.json()["realtime_start"]
print(asked["realtime_start"], answer.status_code, Client().get("/econ/release/tags", asked).status_code)
"""


# At any moment, at least one of the last two has another day than UTC.
@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_today_is_in_utc(tmp_path: Path, zone: str) -> None:
    """P10"""
    folder = tmp_path / "files"
    folder.mkdir()
    write_catalogue(folder, **a_catalogue({"A": ["usa"]}))
    before = datetime.now(UTC).date()

    told = manage(
        prepare(tmp_path, has_sample=False),
        "-c",
        ANSWER,
        str(folder),
        TZ=zone,
        DJANGO_SETTINGS_MODULE="econweb.settings",
        ALLOWED_HOSTS="testserver",
    )

    assert told in {f"{day} 200 200\n" for day in (before, datetime.now(UTC).date())}
