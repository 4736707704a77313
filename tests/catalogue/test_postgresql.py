"""The tests of tables once more, with PostgreSQL in the place of SQLite."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
REQUIRED = os.environ.get("ECONWEB_SERVICES") == "required"
CATALOGUE, INDEX, ACCOUNTS = Path("tests/catalogue"), Path("tests/search_index"), Path("tests/accounts")
# Requests at once, sessions and accounts: the other tests of accounts ask for the same rows in the same way.
OF_ACCOUNTS = [str(ACCOUNTS / f"{name}.py") for name in ("test_races", "test_sessions", "oidc/test_accounts")]
WATCHING = [
    f"tests/watching/test_{name}.py" for name in ("watches", "watch_races", "watcher", "queue_races", "retention")
]
OF_WATCHES = [*WATCHING, "tests/dashboard/watches"]
# Parts that run side by side.
STARTUP = "tests/startup/test_startup_lock.py"
PARTS = {
    "catalogue": [str(CATALOGUE)],
    "index": [str(INDEX)],
    "people": [
        "tests/library",
        "tests/test_optional_write.py",
        "tests/label_book/test_races.py",
        *OF_ACCOUNTS,
        *OF_WATCHES,
        STARTUP,
    ],
}
LEFT_OUT = [
    # It fills the file of an SQLite database.
    f"--deselect={CATALOGUE}/loading/test_load.py::test_load_on_a_full_disk_keeps_old_catalogue",
    # They read files, or write to a terminal: no database has a part in that.
    *(f"--ignore={CATALOGUE}/loading/test_{name}.py" for name in ("packed_files", "invalid_files", "progress")),
    # They send parameters that are refused before the database is asked, or compare formats of replies.
    *(f"--ignore={CATALOGUE}/test_{name}.py" for name in ("parameters", "clients")),
    # It starts the program with a database of its own.
    f"--ignore={INDEX}/reading/test_may_store.py",
    # It measures waits and turns of requests to the service.
    f"--ignore={INDEX}/reading/test_priority.py",
    f"--ignore={__file__}",
]


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The address of a server that lives as long as the test."""
    if not BINARIES and not REQUIRED:
        pytest.skip("PostgreSQL is not installed")
    folder = tempfile.mkdtemp(prefix="econweb-postgresql-")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # The server refuses to run as root.
    user = "postgres" if os.getuid() == 0 else None
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    run = [
        str(BINARIES[-1]),
        "--pgdata",
        f"{folder}/data",
        "--auth",
        "trust",
        "--username",
        "tester",
        "--no-sync",
    ]
    subprocess.run(run, check=True, capture_output=True, user=user)
    options = ["-h", "127.0.0.1", "-p", str(port), "-k", folder, "-c", "fsync=off", "-c", "full_page_writes=off"]
    command = [str(BINARIES[-1].with_name("postgres")), "-D", f"{folder}/data", *options]
    server = subprocess.Popen(command, user=user, stderr=subprocess.DEVNULL)
    wait_for(port)
    yield f"postgres://tester@127.0.0.1:{port}/postgres"
    server.terminate()
    server.wait(30)
    shutil.rmtree(folder)


def wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", PARTS)
def test_tables_pass_their_tests_on_postgresql(postgresql: str, part: str) -> None:
    # Answers are computed after the load, in the same way for each database.
    environment = {**os.environ, "ECONWEB_TEST_DATABASE": postgresql, "ECONWEB_EXAMPLES": "15"}

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *LEFT_OUT, *PARTS[part]],
        env={name: value for name, value in environment.items() if not name.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout
