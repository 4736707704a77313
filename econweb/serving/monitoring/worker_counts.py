"""Count all workers together: each writes its counts to a file, and /metrics adds the files up.

The multiprocess mode of prometheus_client maps sparse files into memory: on a full disk the first write to a hole
ends the worker (SIGBUS). A file that cannot be written here only grows old.
"""

import fcntl
import os
import shutil
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock, Thread
from typing import NamedTuple

import msgspec
from prometheus_client import REGISTRY, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from econweb.serving.monitoring.request_times import TIMES, Rows, build_histogram, sum_rows

# The times at which the workers created their counters have no meaningful sum.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library gives it no types

WRITE_SECONDS = 1.0
# A worker whose file is older has ended or hangs: its counters stay, its gauges do not.
MAX_GAUGE_AGE = 10.0
# Other gauges show the worker that answers this request.
SUMMED_GAUGES = {
    "econweb_http_requests_in_progress",
    "econweb_http_requests_waiting",
    "econweb_http_slots",
    "econweb_upstream_waiting",
    "process_resident_memory_bytes",
    "process_virtual_memory_bytes",
    "process_open_fds",
}
_PREFIX = "counts-"
Labels = tuple[tuple[str, str], ...]
# By family: the name, the labels and the value of each sample.
Counts = dict[str, list[tuple[str, Labels, float]]]


class Written(NamedTuple):
    """The content of the file of a worker."""

    counts: Counts
    times: Rows


class _Worker:
    """The file of this process; None if only one process serves."""

    path: Path | None = None
    written: Written | None = None
    lock = Lock()


class _Families(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def create_counts_folder(parent: Path) -> Path:
    """Create the folder of this program, and remove those of programs that have ended."""
    for old in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            file = os.open(old, os.O_RDONLY)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(old)
            finally:
                os.close(file)
    folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
    # It stays open, and so locked, until this process and its workers have ended.
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)
    return folder


def share_counts(folder: Path) -> None:
    """Write the counts of this worker to the folder from now on."""
    # A new worker may have the process id of an earlier one, whose counts stay.
    _Worker.path = folder / f"{os.getpid()}-{time.time_ns()}"
    Thread(target=_write_often, name="counts", daemon=True).start()


def metrics_text() -> bytes:
    """Return the metrics of all workers."""
    with _Worker.lock:
        families = list(REGISTRY.collect())
        if _Worker.path is None:
            return generate_latest(_Families([*families, build_histogram(TIMES.rows())]))
        own = Written(_counts_of(families), TIMES.rows())
        # Written before it is shown, so that no other worker shows less afterwards.
        _write(_Worker.path, own)
        others = list(_read_others(_Worker.path))
    for family in families:
        sums = family.type != "gauge" or family.name in SUMMED_GAUGES
        shown = [written.counts for written, is_live in others if sums and (is_live or family.type != "gauge")]
        family.samples = _sum_samples(counts.get(family.name, []) for counts in (own.counts, *shown))
    times = sum_rows([own.times, *(written.times for written, _ in others)])
    return generate_latest(_Families([*families, build_histogram(times)]))


def _sum_samples(parts: Iterable[list[tuple[str, Labels, float]]]) -> list[Sample]:
    totals: defaultdict[tuple[str, Labels], float] = defaultdict(float)
    for part in parts:
        for name, labels, value in part:
            totals[name, labels] += value
    return [Sample(name, dict(labels), value) for (name, labels), value in totals.items()]


def _counts_of(families: list[Metric]) -> Counts:
    return {
        family.name: [(sample.name, tuple(sample.labels.items()), sample.value) for sample in family.samples]
        for family in families
    }


def _write_often() -> None:
    while True:
        time.sleep(WRITE_SECONDS)
        with _Worker.lock:
            now = Written(_counts_of(list(REGISTRY.collect())), TIMES.rows())
            if _Worker.path and _of_the_program(now) != _of_the_program(_Worker.written or Written({}, {})):
                _write(_Worker.path, now)
            elif _Worker.path:
                with suppress(OSError):
                    os.utime(_Worker.path)


def _of_the_program(written: Written) -> Written:
    """Leave out the values of the process itself, which change all the time."""
    own = {name: samples for name, samples in written.counts.items() if name.startswith("econweb_")}
    return Written(own, written.times)


def _write(path: Path, written: Written) -> None:
    new = path.with_name(f".{path.name}")
    with suppress(OSError):
        new.write_bytes(msgspec.msgpack.encode(written))
        new.replace(path)
        _Worker.written = written


def _read_others(own: Path) -> Iterator[tuple[Written, bool]]:
    """Yield the counts of each other worker, and whether it is live."""
    for path in sorted(own.parent.glob("[!.]*")):
        if path != own:
            with suppress(OSError, msgspec.MsgspecError):
                is_live = time.time() - path.stat().st_mtime <= MAX_GAUGE_AGE
                yield msgspec.msgpack.decode(path.read_bytes(), type=Written), is_live
