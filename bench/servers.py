"""Programs that are started for a measurement: on this machine only, with a clean folder of their own."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORES = sorted(os.sched_getaffinity(0))
# Where one core is enough for the server, the load comes from another one.
SERVER_CORES, LOAD_CORES = CORES[:1], CORES[-1:]
READY_SECONDS = 60.0
# As `manage.py serve` runs it, for other applications.
GRANIAN = ["-m", "granian", "--port", "{port}", "--no-log", "--blocking-threads", "4", "--interface", "wsgi"]
NONE: Mapping[str, str] = {}
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Reply:
    """Status 0 is a connection that ended without an answer."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Server:
    """A running program that answers on a port of this machine."""

    port: int
    process: "subprocess.Popen[bytes]"
    folder: Path

    @property
    def pids(self) -> list[int]:
        """The process and all that come from it."""
        pids = [self.process.pid]
        for pid in pids:
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                pids += map(int, _read(children).split())
        return pids

    def cpu_seconds(self) -> float:
        """Return the processor time of all its processes and their ended children."""
        return sum(_ticks(pid) for pid in self.pids) / _TICK

    def memory_mb(self) -> float:
        """Return the memory of the largest process; shared memory is divided among its users (PSS)."""
        rollups = [_read(Path(f"/proc/{pid}/smaps_rollup")) for pid in self.pids]
        return max(int(rollup.partition("\nPss:")[2].split()[0]) for rollup in rollups if rollup) / 1024

    @property
    def worker(self) -> int:
        """The process that answers; the first one only watches over it."""
        return self.pids[-1]

    def open_files(self) -> int:
        return sum(len(list(Path(f"/proc/{pid}/fd").glob("*"))) for pid in self.pids)

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def get(self, path: str, headers: Mapping[str, str] = NONE, seconds: float = 30, body: str = "") -> Reply:
        """Send a GET, or a POST if there is a body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("POST" if body else "GET", path, body or None, dict(headers))
            reply = connection.getresponse()
            named = {name.lower(): reply.headers[name] for name in reply.headers}
            named["set-cookie"] = "; ".join(reply.headers.get_all("Set-Cookie", []))
            return Reply(reply.status, named, reply.read())
        except (OSError, http.client.HTTPException):
            return Reply(0)
        finally:
            connection.close()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            for pid in self.pids:
                os.kill(pid, signal.SIGKILL)
            self.process.wait(10)


@contextmanager
def serving(  # noqa: PLR0913, PLR0917
    command: Sequence[str],
    environment: Mapping[str, str] = NONE,
    ready: str = "/healthz",
    cores: Sequence[int] = CORES,
    limits: str = "",
    log: int | None = None,
) -> Iterator[Server]:
    """Runs the command in a clean folder that DATA_DIR lies in; `limits` are lines of shell before it.

    `log` is an open file for what it writes; without one it is a file of the folder.
    """
    folder, port = Path(tempfile.mkdtemp(prefix="econweb-bench-")), free_port()
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    paths = {"DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    arguments = [part.format(port=port) for part in command]
    with (folder / "log").open("w") as file:
        process = subprocess.Popen(
            ["sh", "-c", f'{limits}\nexec taskset -c {",".join(map(str, cores))} "$@"', "sh", *arguments],
            cwd=folder,
            env={**plain, **paths, **environment},
            stdout=file if log is None else log,
            stderr=subprocess.STDOUT,
        )
    server = Server(port, process, folder)
    try:
        _wait_until_ready(server, ready)
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def econweb(
    environment: Mapping[str, str] = NONE,
    workers: int = 1,
    cores: Sequence[int] = CORES,
    limits: str = "",
    log: int | None = None,
) -> AbstractContextManager[Server]:
    """The program as `make run` starts it, with the log of a production host."""
    command = [
        sys.executable,
        str(ROOT / "manage.py"),
        "serve",
        "--port",
        "{port}",
        "--workers",
        str(workers),
    ]
    return serving(command, {"LOG_FORMAT": "json", **environment}, cores=cores, limits=limits, log=log)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(server: Server, path: str) -> None:
    end = time.monotonic() + READY_SECONDS
    while server.process.poll() is None and time.monotonic() < end:
        if server.get(path).status == 200:
            return
        time.sleep(0.05)
    raise SystemExit(f"The server did not come up:\n{server.log()}")


def _ticks(pid: int) -> int:
    """Fields 14 to 17 of proc(5): its own time, and that of children that it waited for."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def _read(path: Path) -> str:
    """Empty when the process has just ended."""
    try:
        return path.read_text()
    except OSError:
        return ""
