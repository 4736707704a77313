"""A PostgreSQL that takes no writes: a replica, whose primary takes them, or a primary by accident."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import requests

from bench.drills.postgresql import postgresql
from econweb.serving.worker import START_SECONDS
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
# Seconds for an answer.
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


def first_step(data: Path, url: str) -> tuple[str, float]:
    """Return the log line of the thread's first step, and the seconds from its last success to that line."""
    with served(data, DATABASE_URL=url, **ELSEWHERE) as (site, process):
        assert process.stdout
        line = next(line for line in process.stdout if THREAD in line)
        found = LAST.search(requests.get(f"{site}/metrics", timeout=PATIENCE).text)
        assert found
        return line, datetime.fromisoformat(line.split()[0]).timestamp() - float(found[1])


def test_thread_of_a_replica_leaves_its_writes_to_the_primary(tmp_path: Path, replica: str) -> None:
    """P4: no alert names a thread whose work hosts of the primary do."""
    line, seconds = first_step(tmp_path, replica)

    assert seconds < START_SECONDS / 2
    assert "[info" in line
    assert "the database is a replica, and hosts of the primary do the work of a background thread" in line


def test_thread_of_a_read_only_primary_fails(tmp_path: Path, read_only: str) -> None:
    """P4"""
    line, seconds = first_step(tmp_path, read_only)

    assert seconds > START_SECONDS / 2
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


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("replica", "ok       database    it is a read-only replica: hosts of the primary write"),
        ("primary", ""),
        (
            "read_only",
            "warning  database    it is read-only, and no replica: check default_transaction_read_only of PostgreSQL",
        ),
    ],
)
def test_doctor_names_a_read_only_database(
    tmp_path: Path, request: pytest.FixtureRequest, database: str, said: str
) -> None:
    ran = manage(tmp_path, "doctor", DATABASE_URL=request.getfixturevalue(database))

    lines = [line for line in ran.stdout.splitlines() if "read-only" in line]
    assert ([line.strip() for line in lines], ran.returncode) == ([said] if said else [], 0)
