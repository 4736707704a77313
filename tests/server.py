"""The server as a process of its own: tests start it, call its commands and end it."""

import atexit
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import requests

ROOT = Path(__file__).resolve().parents[1]
MANAGE = (sys.executable, "manage.py")
# Without these capabilities, root may not write everywhere.
POWERLESS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] if os.getuid() == 0 else []


def free_port() -> int:
    """Return a port below those that the system gives to outgoing connections: one of them could take it first."""
    while True:
        # Not `random`, which each test process seeds in the same way.
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def environment(data: Path) -> dict[str, str]:
    """Return the variables of a program that tests start in the checkout."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.served_settings", "COMPILED_TEMPLATES": _compiled_templates()}
    return {"PATH": os.environ["PATH"], "DATA_DIR": str(data), "HOME": str(data), **settings}


@cache
def _compiled_templates() -> str:
    folder = tempfile.mkdtemp(prefix="econweb-templates-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def serve(
    data: Path, port: int, root: Path = ROOT, program: Sequence[str] = MANAGE, workers: int = 1, **settings: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*program, "serve", "--port", str(port), "--workers", str(workers)],
        cwd=root,
        env=environment(data) | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@contextmanager
def served(data: Path, **options: Any) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    port = free_port()
    process = serve(data, port, **options)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            assert process.poll() is None, process.stdout and process.stdout.read()
            try:
                requests.get(address, timeout=5)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield address, process
    finally:
        # The server and its workers: one that lives on would hold the pipe.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def workers_of(pid: int) -> list[int]:
    """Return the processes that any thread of the server has started."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError):  # the thread has ended meanwhile
            found += [int(child) for child in children.read_text().split()]
    return found


def manage(
    data: Path, *arguments: str, before: Sequence[str] = (), **settings: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data) | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def refused(data: Path, before: Sequence[str] = ()) -> str:
    """Return the error message of `serve`."""
    ran = manage(data, "serve", "--port", str(free_port()), before=before)

    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    return ran.stderr.strip()


def delete(database: Path) -> None:
    for path in database.parent.glob("econweb.sqlite3*"):
        path.unlink()
