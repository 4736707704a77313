"""A database that is missing, damaged or of another version: a message, never a traceback."""

import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from socket import create_server, socket
from threading import Thread

import pytest
import requests

from tests.server import POWERLESS, delete, free_port, manage, refused, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

SENTENCE = "The catalogue cannot be read at the moment."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return prepare(tmp_path / "data")


@pytest.fixture
def database(data: Path) -> Path:
    return data / "econweb.sqlite3"


def truncated(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 3)


def nonsense(database: Path) -> None:
    with database.open("r+b") as file:
        # The same bytes in each run.
        file.write(Random(7).randbytes(database.stat().st_size))  # noqa: S311  no secret


def without_tables(database: Path) -> None:
    """Remove the tables, as in a database of an older version."""
    with sqlite3.connect(database) as connection:
        connection.execute("DROP TABLE catalogue_tag")
        connection.execute("DROP TABLE catalogue_owner")
        connection.execute("DELETE FROM django_migrations WHERE app = 'catalogue'")
    connection.close()


@pytest.fixture
def key(data: Path) -> str:
    return manage(data, "api_key", "create", "test").stdout.strip()


@pytest.mark.parametrize("spoil", [truncated, nonsense, without_tables])
def test_broken_database_of_a_running_server_is_reported(
    data: Path, database: Path, key: str, spoil: Callable[[Path], None]
) -> None:
    """P4: 503 and not ready, without a trace; what was answered before may be answered again."""
    with served(data) as (address, process):
        spoil(database)
        answer = requests.get(f"{address}/econ/release/tags?release_id=53&api_key={key}", timeout=10)
        ready = requests.get(f"{address}/readyz", timeout=10)
        page = requests.get(f"{address}/release/51/tags/", timeout=10)
        alive = requests.get(f"{address}/healthz", timeout=10)
        process.terminate()
        output = process.communicate(timeout=20)[0]

    assert (answer.status_code, SENTENCE in answer.text) == (503, True)
    assert (ready.status_code, alive.status_code) == (503, 200)
    assert re.search("cannot be read|are to be applied", ready.json()["database"])
    assert (page.status_code, 'role="alert"' in page.text) == (503, True)
    assert not any("Traceback" in text for text in (output, answer.text, page.text))


def test_deleted_database_makes_a_server_unready(data: Path, database: Path) -> None:
    """P4: processes that have it open may still answer from it."""
    with served(data) as (address, process):
        delete(database)
        ready = requests.get(f"{address}/readyz", timeout=10)
        alive = requests.get(f"{address}/healthz", timeout=10)
        page = requests.get(f"{address}/release/51/tags/", timeout=10)
        process.terminate()
        output = process.communicate(timeout=20)[0]

    assert (ready.status_code, alive.status_code) == (503, 200)
    assert re.search("cannot be read|are to be applied", ready.json()["database"])
    assert page.status_code in {200, 503}
    assert not any("Traceback" in text for text in (output, ready.text, page.text))


@pytest.mark.parametrize("spoil", [truncated, nonsense, without_tables])
def test_unpreparable_database_is_reported_in_one_sentence(
    data: Path, database: Path, spoil: Callable[[Path], None]
) -> None:
    """P4, P13: also tables of an interrupted migration or of another program."""
    spoil(database)

    assert refused(data).startswith("The database cannot be used: ")


def test_missing_postgresql_is_reported_in_one_sentence(tmp_path: Path) -> None:
    address = f"postgresql://econweb:word@127.0.0.1:{free_port()}/econweb"

    ran = manage(tmp_path, "serve", "--port", str(free_port()), DATABASE_URL=address)

    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert ran.stderr.startswith("The database cannot be used: ")
    assert ran.stderr.endswith(". Check DATABASE_URL, and whether the database is running.\n")
    assert "word" not in ran.stderr


def test_doctor_says_why_a_database_cannot_be_used(data: Path) -> None:
    ran = manage(data, "doctor", DATABASE_URL=f"postgresql://ada:word@127.0.0.1:{free_port()}/portal")

    assert "Connection refused. Check DATABASE_URL, and whether the database is running." in ran.stdout
    assert ran.returncode == 1


def refuse_tls_and_then_the_host(listener: socket) -> None:
    """Answer as PostgreSQL does: agree to TLS and close, then let nobody in without TLS."""
    fields = b"SFATAL\0C28000\0Mno pg_hba.conf entry for host\0\0"
    for reply in (b"S", b"E" + (4 + len(fields)).to_bytes(4) + fields):
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(reply)
            # A connection that is closed before what comes next was read is reset: no failure of TLS any more.
            connection.recv(4096)


def test_reason_of_each_attempt_at_postgresql_is_reported(tmp_path: Path) -> None:
    """The first one may say only that TLS failed, and the second one only that it is needed."""
    with create_server(("127.0.0.1", 0)) as listener:
        Thread(target=refuse_tls_and_then_the_host, args=(listener,), daemon=True).start()
        address = f"postgresql://econweb:word@127.0.0.1:{listener.getsockname()[1]}/econweb"
        ran = manage(tmp_path, "serve", "--port", str(free_port()), DATABASE_URL=address)

    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert re.search("failed: SSL .+; FATAL:  no pg_hba.conf entry for host. Check DATABASE_URL", ran.stderr)


def test_database_without_tables_is_reported_with_the_command_to_run(tmp_path: Path) -> None:
    (tmp_path / "econweb.sqlite3").touch()

    said = manage(tmp_path, "api_key", "list").stderr

    assert said == "The database cannot be used: no such table: catalogue_apikey. Call `manage.py migrate`.\n"


def test_unwritable_folder_is_reported_in_one_sentence(data: Path, database: Path) -> None:
    """P4"""
    delete(database)
    data.chmod(0o555)

    said = refused(data, before=POWERLESS)

    assert said == f"DATA_DIR: {data} has mode 555, so that root cannot use it: call `chmod u+rwX {data}`."


@pytest.mark.parametrize("there_already", [True, False])
def test_database_is_readable_by_its_owner_only(data: Path, database: Path, there_already: bool) -> None:
    """It holds the words of those who edit labels, as digests."""
    if there_already:
        for path in (database, Path(f"{database}-wal")):
            path.touch()
            path.chmod(0o644)
    else:
        delete(database)
    with served(data):
        modes = {path.stat().st_mode & 0o777 for path in data.glob("econweb.sqlite3*")}

    assert modes == {0o600}


def test_database_of_a_newer_version_is_not_changed(data: Path, database: Path) -> None:
    """P13"""
    with sqlite3.connect(database) as connection:
        row = ("catalogue", "0002_later", "2030-01-01")
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", row)
    connection.close()
    before = database.read_bytes()

    assert refused(data) == (
        "The database is of a newer version of econweb (catalogue.0002_later): "
        "start that one, or restore an older copy."
    )
    assert database.read_bytes() == before
