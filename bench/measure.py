"""Measure processor time, requests a second and latency of requests, in interleaved rounds."""

import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bench.client import Load
from bench.servers import LOAD_CORES, NONE, ROOT, Server

WARM_SECONDS = 1.0


@dataclass(frozen=True)
class Subject:
    """Paths that are asked in turn of one server."""

    server: Server
    paths: Sequence[str]
    headers: Mapping[str, str] = field(default_factory=dict)
    connections: int = 16
    # Each path is asked once in all, so that nothing that is kept of an answer can help.
    once: bool = False


@dataclass(frozen=True)
class Call:
    """Something that is done in this process, and the bytes that it is about."""

    run: Callable[[], object]
    size: int = 0


@dataclass(frozen=True)
class Figures:
    """One run, or the medians of several; all answers are counted."""

    cpu_us: float
    per_second: float
    p50_ms: float
    p99_ms: float
    size: float
    statuses: Mapping[str, int]
    lost: int


def compare(subjects: Mapping[str, Subject], rounds: int = 5, seconds: float = 2.0) -> dict[str, Figures]:
    """Every subject in every round, so that a slow minute of the machine strikes all of them."""
    for subject in subjects.values():
        if not subject.once:
            measured(subject, WARM_SECONDS)

    def run(name: str, number: int) -> Figures:
        return measured(_part(subjects[name], number, rounds), seconds)

    return _interleaved(subjects, run, rounds)


def compare_calls(calls: Mapping[str, Call], rounds: int = 5, seconds: float = 0.5) -> dict[str, Figures]:
    """The same for what needs no server."""
    for call in calls.values():
        timed(call, WARM_SECONDS / 4)
    return _interleaved(calls, lambda name, _number: timed(calls[name], seconds), rounds)


def timed(call: Call, seconds: float) -> Figures:
    """One run in this process, of 20 calls at least."""
    times: list[float] = []
    before, begun = time.process_time(), time.perf_counter()
    while len(times) < 20 or time.perf_counter() < begun + seconds:
        started = time.perf_counter()
        call.run()
        times.append(time.perf_counter() - started)
    used, lasted = time.process_time() - before, time.perf_counter() - begun
    p50, p99 = (statistics.quantiles(times, n=100)[part - 1] * 1e3 for part in (50, 99))
    return Figures(used / len(times) * 1e6, len(times) / lasted, p50, p99, call.size, {}, lost=0)


def measured(subject: Subject, seconds: float) -> Figures:
    """One run. Whatever the server's processes used meanwhile counts, whether a request caused it or not."""
    requests = [request(path, subject.headers) for path in subject.paths]
    before = subject.server.cpu_seconds()
    with load(subject.server, requests, seconds, subject.connections, once=subject.once) as seen:
        pass
    used = subject.server.cpu_seconds() - before
    refused = seen.statuses.keys() - {"200", "304"}
    assert not refused, f"{subject.paths[0]} was answered with {refused}: the figures would be of another page."
    return Figures(
        cpu_us=used / max(1, seen.requests) * 1e6,
        per_second=seen.requests / seen.seconds,
        p50_ms=seen.p50 * 1e3,
        p99_ms=seen.p99 * 1e3,
        size=seen.size,
        statuses=seen.statuses,
        lost=seen.lost,
    )


def request(path: str, headers: Mapping[str, str] = NONE) -> str:
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {headers[name]}" for name in headers)]
    return "\r\n".join([*lines, "", ""])


@contextmanager
def load(
    server: Server, requests: Sequence[str], seconds: float, connections: int = 16, **more: bool
) -> Iterator[Load]:
    """A load from another process, while the block runs and until it ends; then it holds what was seen.

    `once` and `patient` are explained in bench/client.py.
    """
    job = {"port": server.port, "requests": requests, "connections": connections, **more}
    process = subprocess.Popen(
        ["taskset", "-c", str(LOAD_CORES[0]), sys.executable, "-m", "bench.client"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(job | {"seconds": seconds}) + "\n")
    process.stdin.flush()
    seen = Load()
    try:
        yield seen
    finally:
        vars(seen).update(json.loads(process.stdout.read()))
        process.wait(10)


def _interleaved(names: Iterable[str], run: Callable[[str, int], Figures], rounds: int) -> dict[str, Figures]:
    runs: dict[str, list[Figures]] = {name: [] for name in names}
    for number in range(rounds):
        for name, figures in runs.items():
            figures.append(run(name, number))
    return {name: _medians(figures) for name, figures in runs.items()}


def _part(subject: Subject, number: int, rounds: int) -> Subject:
    """Divide requests that can be sent only once among the rounds."""
    return replace(subject, paths=subject.paths[number::rounds]) if subject.once else subject


def _medians(runs: Sequence[Figures]) -> Figures:
    statuses: Counter[str] = Counter()
    for run in runs:
        statuses.update(run.statuses)
    names = ("cpu_us", "per_second", "p50_ms", "p99_ms", "size")
    medians = {name: statistics.median(getattr(run, name) for run in runs) for name in names}
    return Figures(**medians, statuses=dict(statuses), lost=sum(run.lost for run in runs))
