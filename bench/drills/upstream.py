"""The service fails in every way under load, and many clients request one view at once."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.measure import load, request
from bench.servers import Server, econweb
from bench.service import Service, service

TAGS = "/econ/category/tags"
# One request of the service brings it: a full page would be followed by another one.
PAGE = request("/category/900/tags/")


@contextmanager
def asking(workers: int = 1, limits: str = "", **settings: str) -> Iterator[tuple[Service, Server]]:
    """The program in front of a service that does what its `mode` says."""
    with (
        service() as upstream,
        econweb({**upstream.settings(), **settings}, workers, limits=limits) as server,
    ):
        yield upstream, server


def herd(readers: int = 200) -> Outcome:
    """L2: all clients request the same uncached view."""
    with asking() as (upstream, server):
        upstream.mode = "slow"
        with load(server, [PAGE] * readers, 20, readers, once=True) as seen:
            pass
        asked = upstream.asked[TAGS]
        lost = not_in(seen, {"200"}) or ("" if asked == 1 else f"the service was asked {asked} times")
        return Outcome("herd", f"{readers} readers, one cold view", lost, secrets_in(server))


def expiry(seconds: float = 6.0) -> Outcome:
    """L3: what all read goes out of date while they read."""
    with asking(ECON_FRESH_SECONDS="2") as (upstream, server):
        with load(server, [PAGE], 1.5, 64) as before:
            pass
        upstream.mode = "slow"
        with load(server, [PAGE], seconds, 64) as seen:
            pass
        asked = upstream.asked[TAGS]
        lost = not_in(seen, {"200"}) or ("" if asked <= 1 + seconds / 2 else f"asked {asked} times")
        noted = f"p99 {before.p99 * 1e3:.0f} ms before, {seen.p99 * 1e3:.0f} ms meanwhile, asked {asked} times"
        tried = f"64 readers for {seconds:g} s, stale every 2 s, the service takes 0.4 s"
        return Outcome("expiry", tried, lost, secrets_in(server), noted=noted)


def outage(mode: str, seconds: float = 4.0) -> Outcome:
    """Kept views stay readable; afterwards the first probe that succeeds ends it."""
    with asking(ECON_FRESH_SECONDS="1", ECON_TIMEOUT="1") as (upstream, server):
        server.get("/category/900/tags/")
        upstream.mode = mode
        with load(server, [PAGE], seconds, 16) as seen:
            time.sleep(seconds / 2)
            words = server.get("/category/10900/tags/")
        upstream.mode = "good"
        recovery = seconds_until(lambda: server.get("/category/20900/tags/").status == 200)
        lost = not_in(seen, {"200"})
        if words.status not in {502, 503} or b'role="alert"' not in words.body:
            lost += f" a view that is not kept answered {words.status} without words"
        leaked = secrets_in(server, words.body)
        return Outcome(f"service {mode}", f"16 readers for {seconds:g} s", lost, leaked, recovery)


def quota(seconds: float = 8.0) -> Outcome:
    """L6: users want more than the rate limit; the service never gets more, and users see the wait."""
    per_minute = 60
    with asking(ECON_REQUESTS_PER_MINUTE=str(per_minute), ECON_TIMEOUT="1") as (upstream, server):
        views = [request(f"/category/{number}0010/tags/") for number in range(2000)]
        with load(server, views, seconds, 16, once=True) as seen:
            pass
        begun = upstream.moments[0] if upstream.moments else 0.0
        asked = sum(moment < begun + seconds for moment in upstream.moments)
        # The bucket starts full.
        over = asked - (per_minute / 60 * seconds + per_minute)
        lost = not_in(seen, {"200", "503"}) + (f" {over:.0f} requests over the quota" if over > 0 else "")
        noted = f"asked {asked} times in {seconds:g} s"
        return Outcome("quota", f"2000 views, {per_minute} a minute", lost, secrets_in(server), noted=noted)
