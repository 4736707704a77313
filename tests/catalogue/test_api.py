"""Validators of API answers, and their change with the catalogue or the day."""

import json
from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from econweb.catalogue import replies
from econweb.catalogue.answers import snapshot
from tests.catalogue.api_calls import a_catalogue
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def path(api_key: str) -> str:
    return f"/econ/release/tags?release_id=53&file_type=json&api_key={api_key}"


def test_api_answer_with_known_etag_is_a_304(catalogue: Loader, client: Client, path: str) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    first = client.get(path)

    by_tag = client.get(path, headers={"If-None-Match": first["ETag"]})
    by_date = client.get(path, headers={"If-Modified-Since": first["Last-Modified"]})

    assert (by_tag.status_code, by_tag.content, by_date.status_code) == (304, b"", 304)
    assert first["Cache-Control"] == "private, no-cache"
    assert client.get(path, headers={"If-None-Match": '"other", ' * 5_000}).status_code == 200


def test_api_etag_changes_with_load_and_day(
    catalogue: Loader, client: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    old = client.get(path)
    assert old.is_still_valid()
    catalogue(**a_catalogue({"B": ["sa"]}))
    new = client.get(path)
    assert (old.is_still_valid(), new.is_still_valid()) == (False, True)

    monkeypatch.setattr("django.utils.timezone.localdate", lambda: date(2030, 1, 1))

    assert not new.is_still_valid()
    tomorrow = client.get(path, headers={"If-Modified-Since": new["Last-Modified"]})
    assert tomorrow.status_code == 200


def test_api_reports_unreadable_database_without_traceback(
    client: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise DatabaseError("secret words")

    monkeypatch.setattr(snapshot, "current_snapshot", fail)

    answer = client.get(path)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error_message"].startswith("Service Unavailable.")
    assert "secret" not in answer.text


def test_api_does_not_reuse_a_dead_connection(client: Client, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request of a page may ask the service several times."""
    closed: list[str] = []

    def fail() -> None:
        monkeypatch.setattr(connection, "errors_occurred", True)
        raise DatabaseError

    monkeypatch.setattr(snapshot, "current_snapshot", fail)
    monkeypatch.setattr(connection, "is_usable", lambda: False)
    monkeypatch.setattr(connection, "close", lambda: closed.append("closed"))
    client.get(path)

    assert closed == ["closed"]


def test_empty_listing_is_valid_json() -> None:
    """A request of another kind may have no period and nothing to echo."""
    answer = replies.series("json", {}, [{"id": "GNPCA"}, {"id": "UNRATE"}])

    assert json.loads(answer.content) == {"seriess": [{"id": "GNPCA"}, {"id": "UNRATE"}]}
