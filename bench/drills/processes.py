"""Processes are killed, stopped, reloaded and squeezed, and start in odd surroundings."""

import os
import re
import signal
import time
from hashlib import sha256

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load
from bench.servers import econweb
from bench.service import service

READERS = 32
_MOMENT = re.compile(rb'datetime="[^"]*">[^<]*UTC')


def killed() -> Outcome:
    """P7: of two workers one dies; only what it had under way is lost."""
    with asking(workers=2) as (_, server):
        server.get("/category/900/tags/")
        with load(server, [PAGE], 5, READERS) as seen:
            time.sleep(1)
            os.kill(server.worker, signal.SIGKILL)
            recovery = seconds_until(lambda: server.get("/healthz", seconds=1).status == 200)
        lost = not_in(seen, {"200"}, may_be_lost=READERS)
        noted = f"{seen.lost} were under way, {seen.refused} connections refused, {seen.requests} answered"
        return Outcome(
            "worker killed", f"kill -9 under {READERS} readers", lost, secrets_in(server), recovery, noted
        )


def reloaded() -> Outcome:
    """P8: new processes take over while readers read."""
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
        return Outcome("stop", "TERM while 4 requests wait for the service", lost, "", recovery)


def squeezed() -> Outcome:
    """P9: fewer files than readers."""
    with service() as upstream, econweb(upstream.settings(), limits="ulimit -n 64") as server:
        with load(server, [PAGE], 4, 200) as seen:
            pass
        answered = server.get("/category/900/tags/").status
        lost = "" if answered == 200 else f"afterwards it answers {answered}"
        noted = f"{seen.requests} answered, {seen.lost} connections turned away"
        return Outcome(
            "64 files", "200 readers at a process of 64 files", lost, secrets_in(server), noted=noted
        )


def elsewhere() -> Outcome:
    """P10: the same bytes whatever the zone, the language and the seed of hashes."""
    places: tuple[dict[str, str], ...] = (
        {},
        {"TZ": "Asia/Kathmandu"},
        {"LC_ALL": "C", "LANG": "C"},
        {"PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "2"},
    )
    bodies = set()
    with service() as upstream:
        for place in places:
            with econweb({**upstream.settings(), **place}) as server:
                body = server.get("/category/900/tags/?order_by=name", {"HX-Request": "true"}).body
                bodies.add(sha256(_MOMENT.sub(b"", body)).hexdigest())
    lost = "" if len(bodies) == 1 else f"{len(bodies)} different pages"
    return Outcome("elsewhere", f"{len(places)} zones, languages and seeds", lost)
