"""A rolling upgrade of two hosts behind the proxy, as docs/deploy.md says, while people read."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from bench.drills.hosts import SECRET
from bench.drills.outcome import Outcome
from bench.drills.postgresql import postgresql
from bench.drills.proxy import proxy
from bench.drills.upgrade import VERSION_0_1, check_out
from bench.servers import ROOT, Server, free_port

PAGES = ("/", "/category/125/tags/", "/series/GNPCA/", "/series/?ids=GNPCA,UNRATE")
FILE = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"')
# docs/deploy.md: nginx leaves a host out for two seconds.
PAUSE = 4


@dataclass
class _Readers:
    """Answers to the readers by status, and failures by path."""

    statuses: Counter[int] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    ended: Event = field(default_factory=Event)


def rolling_upgrade() -> Outcome:
    """A13: no page, style sheet or script fails while hosts of two versions answer."""
    tried = f"two hosts from {VERSION_0_1}, one after the other, eight readers"
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="econweb-rolling-")))
        old = folder / "old"
        if not check_out(VERSION_0_1, old):
            return Outcome("rolling upgrade", tried, noted=f"not run: {VERSION_0_1} is not in this clone")
        shared = {"DATABASE_URL": opened.enter_context(postgresql()).url, **SECRET}
        hosts = [_start(old, free_port(), folder / f"data{number}", shared) for number in range(2)]
        for host in hosts:
            opened.callback(host.stop)
        front = opened.enter_context(proxy(hosts))
        seen = _Readers()
        threads = [Thread(target=_read_pages, args=(front, seen)) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(PAUSE)
        for number, host in enumerate(hosts):
            host.process.terminate()
            host.process.wait(20)
            opened.callback(_start(ROOT, host.port, folder / f"data{number}", shared).stop)
            time.sleep(PAUSE)
        seen.ended.set()
        for thread in threads:
            thread.join()
    lost = ", ".join(seen.failed[:5]) or ("" if seen.statuses[200] else "nobody read anything")
    return Outcome("rolling upgrade", tried, lost, noted=f"answers by status: {dict(seen.statuses)}")


def _start(root: Path, port: int, data: Path, settings: dict[str, str]) -> Server:
    """Start a host at a port of its own, and wait until it serves."""
    command = [sys.executable, str(root / "manage.py"), "serve", "--port", str(port)]
    plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**plain, **settings, "DATA_DIR": str(data), "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    log = data.with_suffix(".log").open("a")
    process = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT)
    server, end = Server(port, process, data.parent), time.monotonic() + 60
    while server.get("/readyz").status != 200:
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit(data.with_suffix(".log").read_text())
        time.sleep(0.1)
    return server


def _read_pages(front: Server, seen: _Readers) -> None:
    """Open pages as a browser does: each with the files that it names."""
    while not seen.ended.is_set():
        for path in PAGES:
            page = _get(front, path, seen)
            for file in FILE.findall(page.decode(errors="replace")):
                _get(front, file, seen)


def _get(front: Server, path: str, seen: _Readers) -> bytes:
    reply = front.get(path)
    seen.statuses[reply.status] += 1
    if reply.status != 200:
        seen.failed.append(f"{path} {reply.status}")
    return reply.body
