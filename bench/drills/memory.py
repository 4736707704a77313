"""Requests that fill caches: the longest names, the longest headers, and a service with endless words."""

from collections.abc import Iterator
from urllib.parse import quote

from bench.drills.outcome import Outcome, seconds_until, secrets_in
from bench.drills.upstream import asking
from bench.servers import Server
from bench.service import Service

MAX_GROWTH_MB = 64.0
# The program does not read heads of 380 kB.
EXPECTED = {200, 431}
VIEWS, HEADERS, SOURCES = 300, 260, 20
# docs/deploy.md promises that this is enough for `manage.py serve`.
LIMIT = "ulimit -v 409600"


def long_names(number: int) -> str:
    """50 names in four-byte letters, together as long as a view may have them, and no two views alike."""
    names = [f"{chr(0x1F300 + number)}{chr(0x1F300 + index)}{'🙂' * 7}" for index in range(50)]
    return quote(";".join(names))


def flood(upstream: Service, server: Server) -> Iterator[int]:
    """The status of each answer."""
    for number in range(VIEWS):
        yield server.get(f"/category/900/tags/?tag_names={long_names(number)}").status
    for number in range(HEADERS):
        accepted = f"x{number}, {'y' * 380_000}"
        yield server.get("/series/GNPCA/", {"Accept-Encoding": accepted}).status
    upstream.mode = "wordy"
    for number in range(1, SOURCES + 1):
        # Sources of one tag.
        yield server.get(f"/category/{number}0001/tags/").status
    upstream.mode = "good"


def growth_mb(upstream: Service, server: Server) -> tuple[float, set[int]]:
    """Return the growth of the worker, and the statuses of its responses."""
    for number in range(40):
        server.get(f"/category/{900 + number}/tags/?limit=100")
        server.get(f"/series/GNPCA/?x={number}")
    before = server.memory_mb()
    statuses = set(flood(upstream, server))
    return server.memory_mb() - before, statuses


def long_words() -> Outcome:
    """A5: long names, long headers and long group ids leave the worker about as large as it was."""
    with asking() as (upstream, server):
        grown, statuses = growth_mb(upstream, server)
        lost = "" if statuses <= EXPECTED else f"answers of status {sorted(statuses)}"
        if grown > MAX_GROWTH_MB:
            lost += f" {grown:.0f} MB are not given back"
        tried = f"{VIEWS} views, {HEADERS} headers of 380 kB, {SOURCES} sources with group ids of 1 MB"
        return Outcome("long words", tried, lost, secrets_in(server), noted=f"{grown:+.0f} MB")


def long_words_in_little_memory() -> Outcome:
    """A5: the same, at a worker of 400 MB."""
    with asking(limits=LIMIT) as (upstream, server):
        worker = server.worker
        statuses = set(flood(upstream, server))
        recovery = seconds_until(lambda: server.get("/category/900/tags/").status == 200)
        lost = "" if statuses <= EXPECTED else f"answers of status {sorted(statuses)}"
        if server.worker != worker:
            lost += " the worker died"
        tried = "long names, headers and group ids at a process of 400 MB"
        return Outcome("long words, 400 MB", tried, lost, secrets_in(server), recovery)
