"""Reading tokens at the limits of their time and length."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts import tokens
from econweb.accounts.models import ReadingToken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def frozen_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def token() -> str:
    User.objects.create_user("ada")
    return tokens.renew_token("ada")


def test_token_has_160_bits(token: str) -> None:
    assert len(bytes.fromhex(token)) == 20


@pytest.mark.parametrize(
    ("age", "person"),
    [(timedelta(), "ada"), (timedelta(days=90, microseconds=-1), "ada"), (timedelta(days=90), None)],
)
def test_token_ends_after_ninety_days(token: str, age: timedelta, person: str | None) -> None:
    ReadingToken.objects.update(created=NOW - age)

    assert tokens.person_of_token(token) == person
    assert (tokens.valid_until("ada") is None) == (person is None)


def test_token_is_valid_until_ninety_days_later(token: str) -> None:
    assert tokens.valid_until("ada") == datetime(2026, 5, 30, 12, tzinfo=UTC)
    assert tokens.valid_until("eve") is None
    assert (tokens.end_token("ada"), tokens.end_token("ada")) == (True, False)


def test_token_of_a_hundred_letters_is_looked_up_and_no_longer_one(token: str) -> None:
    for length, person in ((1, "ada"), (100, "ada"), (101, None)):
        ReadingToken.objects.update(digest=tokens.digest_of("w" * length))
        assert tokens.person_of_token("w" * length) == person
    ReadingToken.objects.update(digest=tokens.digest_of(""))

    assert tokens.person_of_token("") is None


def test_token_ends_with_its_account(token: str, settings: Settings) -> None:
    User.objects.update(is_active=False)
    assert tokens.person_of_token(token) is None
    User.objects.all().delete()
    User.objects.create_user("ada")
    assert tokens.person_of_token(token) is None


@pytest.mark.parametrize(
    ("mode", "person", "is_valid"),
    [("proxy", "ada", True), ("proxy", "gone", False), ("password", "ada", False), ("local", "local editor", True),
     ("local", "ada", False)],
)  # fmt: skip
def test_token_without_an_account(settings: Settings, mode: str, person: str, is_valid: bool) -> None:
    settings.SIGN_IN = mode
    User.objects.create_user("gone", is_active=False)

    text = tokens.renew_token(person)
    ReadingToken.objects.update(account=None)

    assert (tokens.person_of_token(text) == person) is is_valid
