"""Readers beside the looks at watched sources: the same pages of one server, in turns with and without looks.

python -m bench.watching [ROUNDS]
"""

import sqlite3
import statistics
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

from bench.bounds import Bound, report_bounds
from bench.measure import Figures, Subject, measured
from bench.report import machine, report
from bench.servers import Server, econweb
from bench.service import Service, service

SOURCES, ROUNDS, SECONDS = 300, 5, 8.0
# The watcher searches its queue every ten seconds, and begins two seconds after a start.
SETTLE_SECONDS = 12.0
# The default rate limit.
SETTINGS = {"ECON_MAY_STORE": "true", "ECON_REQUESTS_PER_MINUTE": "120"}
WANTED = 1.1


def main() -> None:
    before, rounds = machine(), int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    found: dict[str, list[Figures]] = {}
    with service() as upstream, econweb({**upstream.settings(), **SETTINGS}) as server:
        _follow(server, upstream.url)
        subjects = {
            "a page that is repeated": Subject(server, ["/category/900/tags/"]),
            "pages that are made": Subject(server, [f"/category/900/tags/?limit={limit}" for limit in range(1, 999)]),
        }
        looks = {True: 0, False: 0}
        for subject in subjects.values():
            measured(subject, 2.0)
        for _ in range(rounds):
            for is_due in (False, True):
                _set_due(server, is_due)
                time.sleep(SETTLE_SECONDS)
                for name, subject in subjects.items():
                    asked = _asked(upstream)
                    what = f"{name}, {'with' if is_due else 'without'} looks"
                    found.setdefault(what, []).append(measured(subject, SECONDS))
                    looks[is_due] += _asked(upstream) - asked
    figures = {what: _median(rows) for what, rows in found.items()}
    seconds = rounds * SECONDS * len(subjects)
    report("watching", figures, before, looks=f"{looks[True] / seconds:.1f} a second, {looks[False]} without")
    report_bounds("watching", before, [_bound(figures, name) for name in subjects])


def _bound(figures: dict[str, Figures], name: str) -> Bound:
    ratio = figures[f"{name}, with looks"].p99_ms / figures[f"{name}, without looks"].p99_ms
    return Bound(f"99th percentile of {name} during looks, against that without", ratio, WANTED, "times")


def _median(rows: list[Figures]) -> Figures:
    cpu, per_second, p50, p99 = (
        statistics.median(getattr(row, name) for row in rows) for name in ("cpu_us", "per_second", "p50_ms", "p99_ms")
    )
    return Figures(cpu, per_second, p50, p99, rows[-1].size, rows[-1].statuses, sum(row.lost for row in rows))


def _asked(upstream: Service) -> int:
    with upstream.lock:
        return len(upstream.moments)


def _follow(server: Server, address: str) -> None:
    """Let the user of this machine follow categories of 200 to 500 tags, none of them due."""
    later, add = _stamp(timedelta(days=30)), "INSERT INTO watching_"
    with closing(_open(server)) as database, database:
        columns = "watch (id, person, kind, target, created) VALUES (1, 'local editor', 'list', '/series/?ids=A', ?)"
        database.execute(add + columns, [later])
        for number in range(1, SOURCES + 1):
            columns = "watchedsource (id, kind, key, service, interval, holder, failures, failure, due)"
            values = (number, str(10_200 + number), address, later)
            database.execute(f"{add}{columns} VALUES (?, 'category', ?, ?, 1, '', 0, '', ?)", values)
            database.execute(f"{add}watch_sources (watch_id, watchedsource_id) VALUES (1, ?)", [number])


def _set_due(server: Server, is_due: bool) -> None:
    with closing(_open(server)) as database, database:
        when = _stamp(timedelta(hours=-1) if is_due else timedelta(days=30))
        database.execute("UPDATE watching_watchedsource SET due = ?", [when])


def _open(server: Server) -> sqlite3.Connection:
    return sqlite3.connect(server.folder / "data" / "econweb.sqlite3", timeout=30)


def _stamp(after: timedelta) -> str:
    """Return a time as Django writes it in SQLite."""
    return f"{datetime.now(UTC) + after:%Y-%m-%d %H:%M:%S}"


if __name__ == "__main__":
    main()
