"""Many readers at once, of many views, or for long."""

import time
from itertools import product

from bench.client import Load
from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.drills.upstream import PAGE, asking
from bench.measure import load, request
from bench.pages import cold
from econweb.serving.admission import MAX_CONCURRENT, MAX_QUEUED


def crowd(users: int = 256, seconds: float = 60.0) -> Outcome:
    """L1: many readers of many views on two cores."""
    with asking(workers=2) as (_, server):
        server.get("/category/1000/tags/?limit=1000")
        views = [request(path) for path in cold(50)[:1000]]
        with load(server, [PAGE, *views], seconds, users) as seen:
            pass
        lost = not_in(seen, {"200"})
        ratio = seen.p99 / max(seen.p50, 1e-9)
        if ratio > 10:
            lost += f" p99 is {ratio:.1f} times p50"
        tried = f"{users} users for {seconds:g} s"
        return Outcome("crowd", tried, lost, secrets_in(server), noted=_answered(seen))


def overload(seconds: float = 60.0) -> Outcome:
    """L8: twice as many users as a worker admits; the rest get 503 at once."""
    most = 0.1
    with asking() as (_, server):
        server.get("/category/1000/tags/?limit=1000")
        pages = [request(path) for path in cold(50)]
        with load(server, pages, seconds, 2 * (MAX_CONCURRENT + MAX_QUEUED), patient=True) as seen:
            pass
        recovery = seconds_until(lambda: server.get("/category/1000/tags/?limit=7", seconds=1).status == 200)
        lost = [not_in(seen, {"200", "503"})]
        if not seen.statuses.get("503"):
            lost.append("nobody was turned away")
        if seen.shed_in_silence:
            lost.append(f"{seen.shed_in_silence} were not told when to come back")
        if seen.shed_p99 > most:
            lost.append("turned away too late")
        turned_away = f"{seen.statuses.get('503', 0)} turned away, p99 {seen.shed_p99 * 1e3:.0f} ms"
        tried = f"{2 * (MAX_CONCURRENT + MAX_QUEUED)} readers of pages never asked for, {seconds:g} s"
        said = ", ".join(filter(None, lost))
        noted = f"{_answered(seen)}; {turned_away}"
        return Outcome("overload", tried, said, secrets_in(server), recovery, noted, longest=5.0)


def _answered(seen: Load) -> str:
    return f"{seen.requests / seen.seconds:.0f}/s, p50 {seen.p50 * 1e3:.0f} ms, p99 {seen.p99 * 1e3:.0f} ms"


def views(number: int = 100_000) -> Outcome:
    """L4: views that are requested once do not fill the memory."""
    with asking() as (_, server):
        for source in range(1, 9):
            server.get(f"/category/{source}0900/tags/?limit=1000")
        paths = [
            f"/category/{source}0900/tags/?limit={limit}&offset={offset}"
            for offset, limit, source in product(range(800), range(10, 42, 2), range(1, 9))
        ]
        with load(server, [request(path) for path in paths[:2000]], 120, 16, once=True):
            pass
        before = server.memory_mb()
        with load(server, [request(path) for path in paths[2000:number]], 600, 16, once=True) as seen:
            pass
        after = server.memory_mb()
        lost = not_in(seen, {"200"})
        leaked = secrets_in(server) or (f"{after - before:.0f} MB" if after - before > 10 else "")
        noted = f"{before:.0f} MB after 2000 views, {after:.0f} MB after {number}"
        return Outcome("views", f"{number} different views", lost, leaked, noted=noted)


def soak(seconds: float = 120.0) -> Outcome:
    """L7: hours of steady reading leave neither memory nor files behind; here a part of one."""
    with asking(ECON_FRESH_SECONDS="5") as (_, server):
        requests = [PAGE, *(request(path) for path in cold(50)[:500])]
        with load(server, requests, seconds / 4, 8):
            pass
        memory, files = server.memory_mb(), server.open_files()
        with load(server, requests, seconds, 8) as seen:
            time.sleep(seconds)
            files_then = server.open_files() - 8
        grown = server.memory_mb() - memory
        leaked = secrets_in(server) or (f"{grown:.1f} MB" if grown > 2 + seconds / 600 else "")
        leaked += f" {files_then - files} files" if files_then > files + 4 else ""
        noted = f"{memory:.0f} MB, {grown:+.1f} MB"
        return Outcome("soak", f"8 readers for {seconds:g} s", not_in(seen, {"200"}), leaked, noted=noted)
