"""A PostgreSQL whose processes are stopped: it ends no connection, and answers nothing."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import requests

from bench.drills.postgresql import Cluster, postgresql
from tests.catalogue.test_postgresql import BINARIES, REQUIRED
from tests.server import served, workers_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BINARIES and not REQUIRED, reason="PostgreSQL is not installed"),
]
# Seconds for a new connection (config/database_config.py), and for requests that open several.
CONNECT, PATIENCE = 2, 60


@contextmanager
def stopped(cluster: Cluster) -> Iterator[None]:
    folder = Path(cluster.control[cluster.control.index("-D") + 1])
    first = int((folder / "postmaster.pid").read_text().split()[0])
    # The first one before the others, which it would replace.
    processes = [first, *workers_of(first)]
    _send(signal.SIGSTOP, processes)
    try:
        yield
    finally:
        _send(signal.SIGCONT, processes)


def _send(number: signal.Signals, processes: Iterable[int]) -> None:
    for process in processes:
        # One of them may have ended by itself.
        with suppress(ProcessLookupError):
            os.kill(process, number)


def test_stopped_postgresql_holds_requests_of_open_connections_and_is_shown(tmp_path: Path) -> None:
    """P17: the driver bounds the wait for a connection, but not that for a reply."""
    with postgresql() as cluster, served(tmp_path, DATABASE_URL=cluster.url) as (site, _):
        requests.get(f"{site}/category/125/tags/", timeout=PATIENCE)
        with stopped(cluster):
            with pytest.raises(requests.ReadTimeout):
                requests.get(f"{site}/release/53/tags/", timeout=2 * CONNECT)
            # The open connection is in use, so these open new ones.
            page, ready, metrics = (
                requests.get(f"{site}/{path}", timeout=PATIENCE) for path in ("release/9/tags/", "readyz", "metrics")
            )
        after = requests.get(f"{site}/release/53/tags/", timeout=PATIENCE)

    assert (page.status_code, ready.status_code, after.status_code) == (503, 503, 200)
    assert "econweb_database_up 0.0" in metrics.text
