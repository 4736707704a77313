"""O3: /metrics counts all workers together."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from econweb.serving.monitoring.worker_counts import create_counts_folder
from tests.server import served, workers_of
from tests.serving.metric_values import value
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

ASKED = 'econweb_upstream_requests_total{endpoint="series",outcome="not_found"}'


def read_count(address: str) -> float:
    """Read the count over a new connection, which any worker may get."""
    return value(requests.get(f"{address}/metrics", timeout=30).text, ASKED)


def test_worker_counts_are_added_and_never_decrease(tmp_path: Path) -> None:
    with served(prepare(tmp_path), workers=2) as (address, process):
        seen = []
        for number in range(40):
            requests.get(f"{address}/series/UNKNOWN{number}/", timeout=30)
            seen.append(read_count(address))
        # The other worker may not have written the counts of the last second yet.
        for _ in range(600):
            if seen[-1] == 40:
                break
            time.sleep(0.1)
            seen.append(read_count(address))
        folder = next(tmp_path.glob("counts-*"))
        counting = {path.name.partition("-")[0] for path in folder.glob("[!.]*")}
        killed = workers_of(process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        while killed in workers_of(process.pid):
            time.sleep(0.05)
        after = [read_count(address) for _ in range(5)]

    assert seen == sorted(seen)
    assert seen[-1] == 40
    assert len(counting) == 2
    assert after == [40] * 5


def test_worker_counts_have_no_times_of_creation() -> None:
    """A new worker writes its counts before it has loaded the application."""
    imports = "from econweb.serving.monitoring import worker_counts, worker_metrics"
    program = f"{imports}; print(worker_counts.metrics_text().decode())"
    counts = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert "econweb_" in counts
    assert "_created" not in counts


def test_worker_counts_of_ended_programs_only_are_removed(tmp_path: Path) -> None:
    """O3"""
    ended, running = tmp_path / "counts-ended", create_counts_folder(tmp_path)
    ended.mkdir()
    (ended / "1-1").write_bytes(b"")
    new = create_counts_folder(tmp_path)

    assert set(tmp_path.iterdir()) == {running, new}
