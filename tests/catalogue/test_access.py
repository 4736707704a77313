"""API keys: created, listed, checked and revoked."""

import re
from collections.abc import Callable
from io import StringIO
from threading import Thread
from types import SimpleNamespace

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from pytest_django import Settings

from econweb.catalogue import access
from econweb.catalogue.models import ApiKey
from econweb.serving import response_cache
from tests.catalogue.api_calls import Ask, a_catalogue, asked
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
MORE = "Read /econ/openapi.yaml for more information."
NOT_SET = f"Bad Request.  Variable api_key is not set.  {MORE}"
NOT_SHAPED = (
    f"Bad Request.  The value for variable api_key is not a 32 character alpha-numeric lower-case string.  {MORE}"
)
UNKNOWN = f"Bad Request.  The value for variable api_key is not registered.  {MORE}"


def manage(*arguments: str) -> str:
    out = StringIO()
    call_command("api_key", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("", NOT_SET),
        ("a" * 31, NOT_SHAPED),
        ("a" * 33, NOT_SHAPED),
        ("A" * 32, NOT_SHAPED),
        ("\uff11" * 32, NOT_SHAPED),
        ("\u0131" + "a" * 31, NOT_SHAPED),
        ("a" * 31 + "\u200d", NOT_SHAPED),
        ("a" * 32 + " ", NOT_SHAPED),
        ("a" * 32, UNKNOWN),
    ],
)
def test_unregistered_key_is_an_error(key: str, words: str) -> None:
    """B23"""
    assert asked("series", api_key=key) == (400, {"error_code": 400, "error_message": words})
    assert asked("series", api_key=key, file_type="xml") == (400, {"code": "400", "message": words})


def test_missing_key_is_an_error() -> None:
    assert asked("series") == (400, {"error_code": 400, "error_message": NOT_SET})


def test_api_key_is_shown_once_and_stored_as_a_digest() -> None:
    key = manage("create", "client").strip()

    assert re.fullmatch("[0-9a-z]{32}", key)
    stored = [str(value) for row in ApiKey.objects.values_list() for value in row]
    assert not any(key in value for value in stored)
    assert key not in manage("list")


def test_api_key_is_accepted_until_revoked(catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()

    before, _ = asked("series", api_key=key, series_id="A")
    manage("revoke", "client")
    after = asked("series", api_key=key, series_id="A")

    assert (before, after[0], after[1]["error_message"]) == (200, 400, UNKNOWN)


def test_cached_answer_is_not_given_to_a_revoked_or_unknown_key(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B23"""
    monkeypatch.setattr(response_cache, "REVALIDATE_SECONDS", 0.0)
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()
    application = response_cache.cache_responses(WSGIHandler())
    told: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        told.append(status)
        return lambda body: None

    def ask_with(api_key: str) -> None:
        environ = RequestFactory().get("/econ/series", {"series_id": "A", "api_key": api_key}).environ
        # RequestFactory sends an empty cookie, and no response to a request with one is stored.
        del environ["HTTP_COOKIE"]
        b"".join(application(environ, start))

    for each in (key, key, "a" * 32):
        ask_with(each)
    manage("revoke", "client")
    ask_with(key)

    assert told == ["200 OK", "200 OK", "400 Bad Request", "400 Bad Request"]


def test_api_key_labels_are_unique_and_revoking_needs_a_known_one() -> None:
    manage("create", "client")

    with pytest.raises(CommandError, match="already"):
        manage("create", "client")
    with pytest.raises(CommandError, match="no key"):
        manage("revoke", "other")


def test_api_key_last_use_is_written_once_a_minute(
    catalogue: Loader, writing_threads: Callable[[], set[Thread]]
) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()
    before = manage("list")

    asked("series", api_key=key, series_id="A")
    for thread in writing_threads():
        thread.join()
    first = ApiKey.objects.get().last_used
    for _ in range(5):
        asked("series", api_key=key, series_id="A")
    still_writing = writing_threads()

    assert "never used" in before
    assert first is not None
    assert not still_writing
    assert ApiKey.objects.get().last_used == first
    assert "last used" in manage("list")


@pytest.mark.parametrize("index", [0, 31])
def test_api_key_that_differs_in_one_letter_is_refused(ask: Ask, api_key: str, index: int) -> None:
    """B23"""
    near = api_key[:index] + ("b" if api_key[index] == "a" else "a") + api_key[index + 1 :]

    assert ask("series", api_key=near) == (400, {"error_code": 400, "error_message": UNKNOWN})


def test_keys_are_read_again_after_a_while(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """B23"""
    settings.CATALOGUE_RECHECK_SECONDS, now = 60.0, 1000.0
    monkeypatch.setattr(access, "time", SimpleNamespace(monotonic=lambda: now))
    key = manage("create", "client").strip()
    _, first = asked("series", api_key=key)
    # By another process.
    ApiKey.objects.all().delete()
    now = 1059.9
    _, soon = asked("series", api_key=key)
    now = 1060.0
    _, later = asked("series", api_key=key)

    assert UNKNOWN not in {first["error_message"], soon["error_message"]}
    assert later["error_message"] == UNKNOWN


def test_uses_are_written_by_one_thread_a_minute(api_key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[float] = []
    now = 1000.0
    monkeypatch.setattr(access, "Thread", lambda **_: SimpleNamespace(start=lambda: started.append(now)))
    monkeypatch.setattr(access, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(access._Memory, "write_after", 0.0)
    for moment in (1000.0, 1000.1, 1059.9, 1060.0, 1119.9, 1120.0):
        now = moment
        asked("series", api_key=api_key)

    assert started == [1000.0, 1060.0, 1120.0]


def test_use_of_a_key_needs_no_thread(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch, writing_threads: Callable[[], set[Thread]]
) -> None:
    """At its limit of threads, Python starts no other."""

    def fail() -> None:
        raise RuntimeError("can't start new thread")

    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()
    with monkeypatch.context() as patch:
        patch.setattr(access, "Thread", lambda **_: SimpleNamespace(start=fail))
        patch.setattr(access._Memory, "write_after", 0.0)
        status, _ = asked("series", api_key=key, series_id="A")
    monkeypatch.setattr(access._Memory, "write_after", 0.0)
    asked("series", api_key=key, series_id="A")
    for thread in writing_threads():
        thread.join()

    assert status == 200
    assert ApiKey.objects.get().last_used is not None
