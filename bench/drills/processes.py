"""Processes are killed, stopped, reloaded and short of memory, and start in unusual environments."""

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.pages import cold
from bench.servers import Reply, econweb
from bench.service import service

READERS = 32
_MOMENT = re.compile(rb'datetime="[^"]*">[^<]*UTC')


def killed(workers: int = 1) -> Outcome:
    """P7: a worker dies; only what it had under way is lost, and with one alone it is back at once."""
    with asking(workers=workers) as (_, server):
        server.get("/category/900/tags/")
        with load(server, [PAGE], 5, READERS) as seen:
            time.sleep(1)
            os.kill(server.worker, signal.SIGKILL)
            recovery = seconds_until(lambda: server.get("/healthz", seconds=1).status == 200)
        # A reader that comes back while the process is being taken apart is lost once more.
        lost = not_in(seen, {"200"}, may_be_lost=2 * READERS)
        noted = f"{seen.lost} were under way, {seen.refused} connections refused, {seen.requests} answered"
        tried = f"kill -9 of one of {workers} under {READERS} readers"
        return Outcome("worker killed", tried, lost, secrets_in(server), recovery, noted, longest=2.0)


def reloaded() -> Outcome:
    """P8: new processes take over under load."""
    with asking() as (_, server):
        server.get("/category/900/tags/")
        old = server.worker
        with load(server, [PAGE], 8, READERS) as seen:
            time.sleep(1)
            os.kill(server.process.pid, signal.SIGHUP)
        # A connection that is kept open may be closed just when its next request is on its way.
        lost = not_in(seen, {"200"}, may_be_lost=READERS)
        if server.worker == old:
            lost += " the old worker is still there"
        noted = f"{seen.lost} connections ended, {seen.requests} requests answered"
        return Outcome("reload", f"HUP under {READERS} readers", lost, secrets_in(server), noted=noted)


def stopped() -> Outcome:
    """P8: requests under way are answered, then it ends."""
    with asking(ECON_FRESH_SECONDS="0") as (upstream, server):
        upstream.mode = "slow"
        with load(server, [PAGE] * 4, 5, 4, once=True) as seen:
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            begun = time.monotonic()
            server.process.wait(15)
            recovery = time.monotonic() - begun
        lost = not_in(seen, {"200"})
        if server.process.returncode:
            lost += f" it ended with {server.process.returncode}"
        tried = "TERM while 4 requests wait for the service"
        return Outcome("stop", tried, lost, secrets_in(server), recovery)


def hung() -> Outcome:
    """A9: one of two workers hangs; it is replaced, and all is well again."""
    with asking(workers=2) as (_, server), ThreadPoolExecutor(200) as readers:
        server.get("/category/900/tags/")
        worker = server.worker

        def read(until: Callable[[], bool], most: float) -> tuple[float, list[Future[Reply]]]:
            begun, replies = time.monotonic(), []
            while not until() and time.monotonic() < begun + most:
                replies.append(readers.submit(server.get, "/category/900/tags/"))
                time.sleep(0.2)
            return time.monotonic() - begun, replies

        os.kill(worker, signal.SIGSTOP)
        recovery, meanwhile = read(lambda: worker not in server.pids and len(server.pids) == 3, 40)
        # The new worker needs a moment until it answers; the other one is there.
        _, after = read(lambda: False, 5)
        waited = Counter(reply.result().status for reply in meanwhile)
        statuses = Counter(reply.result().status for reply in after)
        lost = "" if set(statuses) == {200} else f"afterwards {dict(statuses)}"
        if "most recent call first" not in server.log():
            lost += " no stacks in the log"
        noted = f"meanwhile {dict(waited)}, afterwards {dict(statuses)}"
        tried = "SIGSTOP to one of 2 workers, 5 requests a second"
        return Outcome("worker hangs", tried, lost, secrets_in(server), recovery, noted, longest=30.0)


def few_files() -> Outcome:
    """P9: fewer files than readers."""
    return _squeezed("64 files", "ulimit -n 64", [PAGE])


def little_memory() -> Outcome:
    """P9: as much address space as some hosts allow, and pages that have to be made."""
    return _squeezed("450 MB", "ulimit -v 450000", [request(path) for path in cold(50, 900)])


def _squeezed(name: str, limits: str, pages: list[str], readers: int = 200) -> Outcome:
    with asking(limits=limits) as (_, server):
        server.get("/category/900/tags/?limit=1000")
        worker = server.worker
        with load(server, pages, 6, readers, patient=True) as seen:
            pass
        recovery = seconds_until(lambda: server.get("/category/900/tags/").status == 200)
        lost = not_in(seen, {"200", "503"}, may_be_lost=readers)
        if server.worker != worker:
            lost += " the worker died"
        noted = f"{seen.requests} answered, {seen.lost} connections turned away"
        tried = f"{readers} readers at a process of {name}"
        return Outcome(name, tried, lost, secrets_in(server), recovery, noted)


def elsewhere() -> Outcome:
    """P10: the same bytes whatever the zone, the language and the seed of hashes."""
    surroundings: tuple[dict[str, str], ...] = (
        {},
        {"TZ": "Asia/Kathmandu"},
        {"LC_ALL": "C", "LANG": "C"},
        {"PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "2"},
    )
    bodies, headers = set(), {"HX-Request": "true", "Host": "127.0.0.1"}
    with service() as upstream:
        for settings in surroundings:
            with econweb({**upstream.settings(), **settings}) as server:
                body = server.get("/category/900/tags/?order_by=name", headers).body
                bodies.add(sha256(_MOMENT.sub(b"", body)).hexdigest())
    lost = "" if len(bodies) == 1 else f"{len(bodies)} different pages"
    return Outcome("elsewhere", f"{len(surroundings)} zones, languages and seeds", lost)


def log_stalls(requests: int = 1000) -> Outcome:
    """A10: the pipe of the log is full and is not read."""
    reader, writer = os.pipe()
    try:
        with econweb(log=writer) as server:
            statuses = Counter(server.get("/series/GNPCA/", seconds=5).status for _ in range(requests))
            alive = server.get("/healthz", seconds=5).status
    finally:
        os.close(reader)
        os.close(writer)
    lost = "" if statuses == {200: requests} and alive == 200 else f"{dict(statuses)}, /healthz {alive}"
    return Outcome("log stalls", f"{requests} requests, a log that nobody reads", lost)
