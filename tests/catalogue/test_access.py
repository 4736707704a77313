"""Keys: who may ask, and how keys are made, listed and revoked (spec 5)."""

import re
from collections.abc import Callable
from hmac import compare_digest
from io import StringIO

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from econweb.catalogue import access
from econweb.catalogue.models import ApiKey
from econweb.serving.response_cache import cache_responses
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
def test_an_unregistered_key_is_an_error(key: str, words: str) -> None:
    """B23"""
    assert asked("series", api_key=key) == (400, {"error_code": 400, "error_message": words})
    assert asked("series", api_key=key, file_type="xml") == (400, {"code": "400", "message": words})


def test_a_missing_key_is_an_error() -> None:
    assert asked("series") == (400, {"error_code": 400, "error_message": NOT_SET})


def test_a_key_is_shown_once_and_stored_as_a_digest() -> None:
    key = manage("create", "client").strip()

    assert re.fullmatch("[0-9a-z]{32}", key)
    stored = [str(value) for row in ApiKey.objects.values_list() for value in row]
    assert not any(key in value for value in stored)
    assert key not in manage("list")


def test_a_made_key_lets_in_until_it_is_revoked(catalogue: Loader) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()

    before, _ = asked("series", api_key=key, series_id="A")
    manage("revoke", "client")
    after = asked("series", api_key=key, series_id="A")

    assert (before, after[0], after[1]["error_message"]) == (200, 400, UNKNOWN)


def test_an_answer_that_lies_ready_is_not_given_to_a_revoked_or_foreign_key(catalogue: Loader) -> None:
    """B23"""
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()
    application = cache_responses(WSGIHandler())
    told: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        told.append(status)
        return lambda body: None

    def ask_with(api_key: str) -> None:
        environ = RequestFactory().get("/econ/series", {"series_id": "A", "api_key": api_key}).environ
        # With cookies, even none, it would not be looked for among what lies ready.
        del environ["HTTP_COOKIE"]
        b"".join(application(environ, start))

    for each in (key, key, "a" * 32):
        ask_with(each)
    manage("revoke", "client")
    ask_with(key)

    assert told == ["200 OK", "200 OK", "400 Bad Request", "400 Bad Request"]


def test_two_keys_of_one_label_and_revoking_an_unknown_one_are_refused() -> None:
    manage("create", "client")

    with pytest.raises(CommandError, match="already"):
        manage("create", "client")
    with pytest.raises(CommandError, match="no key"):
        manage("revoke", "other")


def test_the_last_use_is_written_once_a_minute_however_many_requests(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue(**a_catalogue({"A": ["usa"]}))
    key = manage("create", "client").strip()
    assert "never used" in manage("list")
    monkeypatch.setattr(access._Memory, "write_after", 0.0)

    for _ in range(5):
        asked("series", api_key=key, series_id="A")
        assert access._Memory.writer
        access._Memory.writer.join()
    first = ApiKey.objects.get().last_used
    asked("series", api_key=key, series_id="A")

    assert first is not None
    assert ApiKey.objects.get().last_used == first
    assert "last used" in manage("list")


def test_every_stored_key_is_compared_in_constant_time(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """B23"""
    seen = []

    def watched(one: str, other: str) -> bool:
        seen.append(one)
        return compare_digest(one, other)

    monkeypatch.setattr(access, "compare_digest", watched)

    ask("series")

    assert len(seen) == 1
    assert len(seen[0]) == 64
