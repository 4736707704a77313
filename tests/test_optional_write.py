"""Pages that write beside what they show: none waits for another writer, and what is left out is written later."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from threading import Thread

import pytest
from django.db import connection, connections, transaction
from django.db.models import F
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.models import Session
from econweb.library.models import SavedView
from tests.accounts.signed_in import put_clock, signed_in
from tests.fake_service import FakeService, a_tag
from tests.library.builders import a_saved_view

pytestmark = pytest.mark.django_db(transaction=True)
# The longest time that a busy machine takes for a page; a write waits longer.
LONGEST, FOR_EVER = 60, 3600


@pytest.fixture(autouse=True)
def writers_wait_for_ever(monkeypatch: pytest.MonkeyPatch, stand_in: FakeService) -> None:
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connections["default"].settings_dict["OPTIONS"], "timeout", FOR_EVER)
    stand_in.has("category", 125, [a_tag("usa")])


@contextmanager
def locked() -> Iterator[None]:
    """Hold every session and saved view, which with SQLite is the whole database."""
    with transaction.atomic():
        Session.objects.update(expire_date=F("expire_date"))
        SavedView.objects.update(note=F("note"))
        yield


def status_of(get: Callable[[], HttpResponseBase]) -> int:
    """Return the status of a page, or 0 where it waits for the lock."""
    statuses = Queue[int]()

    def run() -> None:
        try:
            statuses.put(get().status_code)
        finally:
            connections.close_all()

    Thread(target=run, daemon=True).start()
    try:
        return statuses.get(timeout=LONGEST)
    except Empty:
        return 0


@pytest.mark.parametrize("path", ["/saved/trade/", "/me/saved/trade/"])
def test_saved_view_is_shown_beside_a_long_write(path: str) -> None:
    """P3"""
    a_saved_view().save()
    with locked():
        status = status_of(lambda: Client().get(path))
    meanwhile = SavedView.objects.get().opened
    Client().get(path)

    assert (status, meanwhile, SavedView.objects.get().opened) == (200, None, timezone.now().date())


@pytest.mark.parametrize("path", ["/category/125/tags/", "/me/"])
def test_session_is_extended_after_a_long_write(settings: Settings, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """P3"""
    settings.READ, settings.SIGN_IN = "signed-in", "password"
    client = signed_in()
    before = Session.objects.get().expire_date
    put_clock(monkeypatch, 600)
    with locked():
        status = status_of(lambda: client.get(path))
    meanwhile = Session.objects.get().expire_date
    put_clock(monkeypatch, 600)
    client.get(path)

    assert (status, meanwhile) == (200, before)
    assert Session.objects.get().expire_date > before
