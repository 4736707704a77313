"""Waits for locks of PostgreSQL end in time: at a start, when content is added, and in each request of a worker."""

from typing import Any

import pytest
from django.core.management import CommandError
from django.db import OperationalError, connection, transaction
from django.db.backends.signals import connection_created
from django.test import Client

from econweb.label_book.models import Label
from econweb.library import concurrency
from econweb.serving import worker
from econweb.startup import prepare_database
from tests.races import at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such locks"),
]


def test_start_waits_for_another_host_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare_database, "MAX_STARTUP_WAIT", "100ms")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [prepare_database.STARTUP_LOCK_ID])
        [refused] = at_once(prepare_database.prepare_database)
        cursor.execute("SELECT pg_advisory_unlock(%s)", [prepare_database.STARTUP_LOCK_ID])

    assert isinstance(refused, CommandError)
    assert "still preparing" in str(refused)
    with prepare_database._startup_lock(), connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


def test_addition_waits_for_another_one_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "MAX_CONTENT_WAIT", "100ms")
    with transaction.atomic():
        concurrency.take_turns_of_all()
        [refused] = at_once(transaction.atomic(concurrency.take_turns_of_all))

    assert isinstance(refused, OperationalError)


def test_request_waits_for_another_one_for_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Any = None
    for name in ("start_heartbeat", "share_counts"):
        monkeypatch.setattr(worker, name, lambda _: None)
    monkeypatch.setattr("econweb.serving.background.list_steps", lambda: ())
    monkeypatch.setattr(worker, "MAX_LOCK_WAIT", "100ms")
    label = Label(kind="category", number=900, name="Trade")
    label.save()
    given = {"name": "Commerce", "opened": label.revision}
    worker.load_worker(nothing, nothing, "econweb.wsgi")
    try:
        with transaction.atomic():
            Label.objects.select_for_update().get()
            [status] = at_once(lambda: Client().post("/me/names/category/900/", given).status_code)
    finally:
        connection_created.disconnect(worker._limit_lock_waits)

    assert status == 503
