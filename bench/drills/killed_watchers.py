"""Hosts are killed while they look at 300 watched sources for four weeks: no news is lost, doubled or false."""

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from mmap import mmap
from random import Random
from typing import Any

from bench.drills.outcome import Outcome
from bench.drills.postgresql import postgresql
from bench.servers import ROOT

HOSTS, PEOPLE = 2, 20
# How far the clock of each host is ahead of the other one.
SKEW = 20.0
# The shared memory: the time, and for each host until when it sleeps, or what it does.
_CELL, _STARTING, _WORKING, _NEAR_NEWS = struct.Struct("d"), -1.0, 0.0, 0.5


class Clock:
    """The accelerated time of all processes. It stands still while one of them works."""

    def __init__(self, memory: mmap) -> None:
        self._memory = memory

    def get(self, cell: int) -> float:
        return float(_CELL.unpack_from(self._memory, cell * _CELL.size)[0])

    def set(self, cell: int, value: float) -> None:
        _CELL.pack_into(self._memory, cell * _CELL.size, value)

    def moment(self, ahead: float = 0.0) -> datetime:
        return datetime.fromtimestamp(self.get(0) + ahead, UTC)


def host(clock: Clock, number: int, scenario: Any) -> None:
    """Work as the thread of one host does, until it is killed."""
    from econweb.watching.watcher import Watcher  # noqa: PLC0415  only now are there settings

    def now() -> datetime:
        return clock.moment(number * SKEW)

    def ask(kind: str, key: str) -> Any:
        clock.set(1 + HOSTS, clock.get(1 + HOSTS) + 1)
        clock.set(1 + number, _NEAR_NEWS if scenario.is_near_news((kind, key), now()) else _WORKING)
        return scenario.reply((kind, key), now())

    watcher = Watcher(ask=ask, check_idle=lambda: None, now=now)
    while True:
        clock.set(1 + number, _WORKING)
        pause = watcher.step()
        until = clock.get(0) + (_next(now()) if watcher.is_idle else pause)
        clock.set(1 + number, until)
        while clock.get(0) < until:
            time.sleep(0.0002)


def _next(now: datetime) -> float:
    """Return the seconds until a row is due; the lease of a killed host has to end first."""
    from django.db.models import Min  # noqa: PLC0415

    from econweb.watching.models import WatchedSource  # noqa: PLC0415

    rows = WatchedSource.objects.exclude(due=None)
    due = rows.filter(held_until=None).aggregate(first=Min("due"))["first"]
    held = rows.exclude(held_until=None).aggregate(first=Min("held_until"))["first"]
    return float(max(1.0, min((when - now).total_seconds() for when in (due, held) if when)))


class Run:
    """The hosts, the time and the kills of one run."""

    def __init__(self, sources: int, every: float) -> None:
        from bench.drills.watched_sources import REST, WEEKS, Scenario  # noqa: PLC0415  needs the settings

        begin = datetime.now(UTC).replace(microsecond=0)
        self.scenario, self.every = Scenario(begin, sources), every
        self.end = (begin + WEEKS + REST).timestamp()
        fill(self.scenario)
        # The last cell counts the looks.
        self.clock = Clock(mmap(-1, _CELL.size * (2 + HOSTS)))
        self.clock.set(0, begin.timestamp())
        self.pids = [self._start(number) for number in range(HOSTS)]
        self.random, self.killed, self.at_work = Random(20), 0, 0  # noqa: S311

    def _start(self, number: int) -> int:
        self.clock.set(1 + number, _STARTING)
        pid = os.fork()
        if not pid:
            try:
                host(self.clock, number, self.scenario)
            finally:
                os._exit(1)
        return pid

    def go(self) -> None:
        """Let the time pass, and kill one host in each interval, at a random moment of a look that may be news."""
        kill_at = self.clock.get(0) + self.every
        while self.clock.get(0) < self.end:
            sleeping, victim = [self.clock.get(1 + number) for number in range(HOSTS)], self.killed % HOSTS
            late = self.clock.get(0) - kill_at
            if late >= 0 and (sleeping[victim] == _NEAR_NEWS or (late > self.every / 2 and not sleeping[victim])):
                time.sleep(self.random.uniform(0, 0.008))
                kill_at += self.every
                self._kill(victim)
            elif min(sleeping) > self.clock.get(0):
                self.clock.set(0, min([*sleeping, self.end]))
            else:
                time.sleep(0.0002)
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def _kill(self, number: int) -> None:
        """Kill a host, and start it again."""
        os.kill(self.pids[number], signal.SIGKILL)
        if os.waitpid(self.pids[number], 0)[1] != signal.SIGKILL:
            raise RuntimeError("a host ended by itself")
        self.killed, self.at_work = self.killed + 1, self.at_work + (self.clock.get(1 + number) < 1)
        self.pids[number] = self._start(number)


def fill(scenario: Any) -> None:
    """Let each of the people follow some of the sources."""
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    from econweb.watching.models import Watch, WatchedSource  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    begin, random = scenario.begin, Random(5)  # noqa: S311
    rows = WatchedSource.objects.bulk_create(
        WatchedSource(kind=kind, key=key, interval=1.0, due=begin) for kind, key in scenario.keys
    )
    for number in range(PEOPLE):
        user = User.objects.create(username=f"p{number}", is_staff=True)
        given = {"kind": "list", "target": "/series/?ids=A", "created": begin}
        watch = Watch.objects.create(person=user.username, account=user, **given)
        watch.sources.set({*rows[number::PEOPLE], *random.sample(rows, len(rows) // 10)})
    connections.close_all()


def compare(scenario: Any) -> list[str]:
    """Return how the news differ from what was planted: lost, doubled, false, in another order, or early."""
    from econweb.watching.models import Announcement, ChangedFact, Watch  # noqa: PLC0415

    facts, told, wrong = defaultdict(list), defaultdict(list), list[str]()
    for row in ChangedFact.objects.order_by("pk"):
        facts[row.announcement_id].append((row.name, row.group, row.field, row.before, row.after))
    for one in Announcement.objects.select_related("source").order_by("pk"):
        told[one.source.kind, one.source.key].append(one)
    slack = timedelta(seconds=SKEW * HOSTS)
    for source in scenario.keys:
        found, planted = told[source], scenario.expected(source)
        if [(one.kind, facts[one.pk]) for one in found] != [(kind, changed) for kind, changed, _ in planted]:
            wrong.append(f"{source} told {[one.kind for one in found]} of {[kind for kind, _, _ in planted]}")
            continue
        for one, (_, _, when) in zip(found, planted, strict=True):
            if not one.before - slack <= when <= one.seen + slack <= one.confirmed - timedelta(hours=1) + 2 * slack:
                wrong.append(f"{source} at {when}: {one.before}, {one.seen}, {one.confirmed}")
    for watch in Watch.objects.all():
        heard = set(watch.news.values_list("pk", flat=True))
        if heard != set(Announcement.objects.filter(source__watch=watch).values_list("pk", flat=True)):
            wrong.append(f"{watch.person} did not hear exactly the news of what they follow")
    return wrong


def main(sources: int, kills: int) -> None:
    """Run the hosts on the database of the settings, and print the result."""
    import django  # noqa: PLC0415

    django.setup()
    from bench.drills.watched_sources import REST, WEEKS  # noqa: PLC0415
    from econweb.watching.models import Announcement, WatchedSource  # noqa: PLC0415

    run = Run(sources, (WEEKS + REST).total_seconds() / kills)
    run.go()
    followed = WatchedSource.objects.count()
    looks = f"about {run.clock.get(1 + HOSTS):.0f} looks"
    noted = f"{Announcement.objects.count()} true changes of {followed} sources told, {looks}"
    print(
        json.dumps(
            {
                "wrong": compare(run.scenario),
                "noted": noted,
                "killed": run.killed,
                "at_work": run.at_work,
            }
        )
    )


def killed_watchers(kills: int = 100, sources: int = 300, database: str = "") -> Outcome:
    """O32: kill -9 of one of two hosts at random moments of four weeks."""
    with tempfile.TemporaryDirectory(prefix="econweb-watch-") as folder:
        plain = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PYTHONPATH") if name in os.environ}
        settings = {**plain, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "econweb.settings"}
        settings |= {"DATABASE_URL": database} if database else {}
        command = [sys.executable, "-m", "bench.drills.killed_watchers", str(sources), str(kills)]
        ran = subprocess.run(command, cwd=ROOT, env=settings, check=False, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    result = json.loads(ran.stdout.splitlines()[-1])
    wrong = result["wrong"] + ([] if result["killed"] >= kills - 1 else ["too few kills"])
    where = "PostgreSQL" if database else "SQLite"
    noted = f"{result['noted']}; {result['at_work']} kills at work; {where}"
    tried = f"kill -9 of one of {HOSTS} hosts at {result['killed']} moments of four weeks"
    return Outcome("watchers killed", tried, "; ".join(wrong[:5]), noted=noted)


def every_day_on_postgresql(kills: int = 42, sources: int = 300) -> Outcome:
    """O32: the same with PostgreSQL, and one kill in each day of the four weeks and of the rest after them."""
    with postgresql() as cluster:
        return killed_watchers(kills, sources, cluster.url)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
