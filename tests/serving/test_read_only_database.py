"""A PostgreSQL that takes no writes: a replica, whose primary takes them, or a primary by accident."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from bench.drills.postgresql import postgresql
from tests.catalogue.test_postgresql import BINARIES, REQUIRED
from tests.server import manage, served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BINARIES and not REQUIRED, reason="PostgreSQL is not installed"),
]
# A thread that writes at each step, as ECON_MAY_STORE is unset.
THREAD = "fingerprints"
LAST = re.compile(rf'econweb_thread_last_success_timestamp_seconds{{thread="{THREAD}"}} (\S+)')
ELSEWHERE = {"ECON_BASE_URL": "http://127.0.0.1:1", "ECON_API_KEY": "a" * 32}
# Seconds until the thread has made its first step.
PATIENCE = 30


@pytest.fixture(scope="module")
def primary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgresql() as cluster:
        ran = manage(tmp_path_factory.mktemp("primary"), "migrate", DATABASE_URL=cluster.url)
        assert ran.returncode == 0, ran.stderr
        yield cluster.url


@pytest.fixture(scope="module")
def replica(primary: str) -> Iterator[str]:
    with postgresql(primary) as cluster:
        yield cluster.url


@pytest.fixture(scope="module")
def read_only(primary: str) -> str:
    return f"{primary}?options=-c%20default_transaction_read_only%3Don"


def first_step(data: Path, url: str) -> tuple[float, list[str]]:
    """Return the seconds from the start of the thread to its last success, and the log lines about it."""
    with served(data, DATABASE_URL=url, **ELSEWHERE) as (site, process):
        assert process.stdout
        lines: list[str] = []
        began, end = last_success(site), time.monotonic() + PATIENCE
        while not lines and time.monotonic() < end:
            lines = [line for line in [process.stdout.readline()] if THREAD in line]
        return last_success(site) - began, lines


def last_success(site: str) -> float:
    found = LAST.search(requests.get(f"{site}/metrics", timeout=PATIENCE).text)
    assert found
    return float(found[1])


def test_thread_of_a_read_only_primary_fails(tmp_path: Path, read_only: str) -> None:
    """P4"""
    seconds, (line,) = first_step(tmp_path, read_only)

    assert seconds == 0
    assert "[error" in line
    assert "a background thread failed, and tries again later" in line
    assert "The database is read-only, as a replica is: cannot execute DELETE" in line


@pytest.mark.parametrize("database", ["replica", "read_only"])
def test_refused_write_says_that_the_database_is_read_only(
    tmp_path: Path, request: pytest.FixtureRequest, database: str
) -> None:
    ran = manage(tmp_path, "role", "ada", "editor", DATABASE_URL=request.getfixturevalue(database))

    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert ran.stderr.startswith("The database is read-only, as a replica is: cannot execute ")
    assert ran.stderr.endswith("check DATABASE_URL, and default_transaction_read_only of PostgreSQL.\n")
