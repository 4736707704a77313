"""A host whose first process was killed frees its port: its workers end as well."""

import os
import signal
import time
from pathlib import Path

import pytest
import requests

from tests.server import served, workers_of
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow


def test_workers_end_with_the_first_process(tmp_path: Path) -> None:
    """O26"""
    data = prepare(tmp_path)
    with served(data, workers=2) as (address, process):
        workers = workers_of(process.pid)
        assert len(workers) == 2
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for _ in range(300):
            if not any(map(is_running, workers)):
                break
            time.sleep(0.1)
        assert [pid for pid in workers if is_running(pid)] == []
        with pytest.raises(requests.ConnectionError):
            requests.get(f"{address}/healthz", timeout=5)


def is_running(pid: int) -> bool:
    """Return False for one that has ended, also where nobody has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
