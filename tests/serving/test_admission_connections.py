"""Database connections belong to the slots of admission, and go from thread to thread with them."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.db import DatabaseError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from econweb.serving import admission


class Database:
    """One SQLite file behind one slot; each request notes the connection of SQLite that it used."""

    def __init__(self, handler: ConnectionHandler) -> None:
        self.handler = handler
        self.used: list[sqlite3.Connection] = []
        self.left_behind: list[object] = []
        self.application = admission.limit_concurrency(self)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with self.handler["default"].cursor() as cursor:
            cursor.execute("SELECT 1")
            if environ["PATH_INFO"] == "/broken":
                with suppress(DatabaseError):
                    cursor.execute("SELECT * FROM missing")
        self.used.append(self.handler["default"].connection)
        return []

    def get(self, path: str) -> None:
        """Send a request from a thread of its own."""

        def send() -> None:
            self.application({"PATH_INFO": path}, lambda *arguments: lambda body: None)
            self.left_behind.extend(self.handler.all(initialized_only=True))

        thread = Thread(target=send)
        thread.start()
        thread.join(30)

    def set_max_age(self, seconds: int | None) -> None:
        self.handler.settings["default"]["CONN_MAX_AGE"] = seconds


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker) -> Iterator[Database]:
    file = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "a.sqlite3")}
    handler = ConnectionHandler({"default": {**file, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}})
    monkeypatch.setattr(admission, "connections", handler)
    monkeypatch.setattr(admission, "MAX_CONCURRENT", 1)
    with django_db_blocker.unblock():
        database = Database(handler)
        yield database
        for connection in database.used:
            connection.close()


def test_connection_is_used_by_threads_in_turn(database: Database) -> None:
    for _ in range(3):
        database.get("/")

    assert len(database.used) == 3
    assert len({*map(id, database.used)}) == 1
    assert database.left_behind == []


def test_connection_is_opened_again_after_an_error(database: Database) -> None:
    """A connection to a damaged file would fail for ever."""
    for path in ("/", "/broken", "/", "/"):
        database.get(path)

    first, broken, third, fourth = database.used
    assert first is broken
    assert third is not broken
    assert third is fourth


def test_connection_past_its_age_is_opened_again(database: Database) -> None:
    database.set_max_age(0)
    for _ in range(2):
        database.get("/")

    assert database.used[0] is not database.used[1]


def test_connection_is_checked_before_each_request(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Django checks at the start of a request as well: the server may have closed the connection."""
    database.get("/")
    monkeypatch.setattr("django.db.backends.sqlite3.base.DatabaseWrapper.is_usable", lambda connection: False)
    database.get("/")

    assert database.used[0] is not database.used[1]


def test_admission_prefers_slot_with_open_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_CONCURRENT", 3)
    queue = admission.AdmissionQueue()
    slots = [queue.acquire() for _ in range(3)]
    slots[1]["default"] = SimpleNamespace(connection=object())  # type: ignore[assignment]
    for slot in slots:
        queue.release(slot)

    assert queue.acquire() is slots[1]
