"""Weak passwords are refused wherever a person chooses one."""

import io
import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from econweb.accounts.models import Session

pytestmark = pytest.mark.django_db
WEAK = {
    "one letter": "a",
    "eleven characters": "gk7!wplq3xz",
    "common": "q1w2e3r4t5y6",
    "digits": "840219375610",
    "the account's own name": "margaret.hamilton",
    "words of the site": "Econweb-Series-2026",
    "the host": "testserver-econ!",
}
STRONG = "seven green trams at noon"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("password", WEAK.values(), ids=WEAK)
def test_password_page_refuses_weak_password(client: Client, password: str) -> None:
    """A3"""
    user = User.objects.create_superuser("margaret.hamilton", password=STRONG)
    client.force_login(user)
    words = {"old_password": STRONG, "new_password1": password, "new_password2": password}

    answer = client.post("/me/password/", words)

    user.refresh_from_db()
    assert answer.status_code == 200
    assert user.check_password(STRONG)
    # A browser forgives attributes without a space between them; a validator does not.
    assert re.findall(r'\s[a-z-]+="[^"]*"[a-z-]+=', answer.text) == []


@pytest.mark.parametrize("password", WEAK.values(), ids=WEAK)
def test_password_command_refuses_weak_password(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    """A3, O8: the command asks for a confirmation, which is not given."""
    monkeypatch.setattr(createsuperuser.getpass, "getpass", lambda prompt="": password)

    def say_no(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", say_no)
    with pytest.raises(SystemExit):
        call_command(
            "createsuperuser",
            username="margaret.hamilton",
            email="m@example.org",
            stdin=Terminal(),
            stderr=io.StringIO(),
        )

    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("password", "status"),
    [
        ("econweb-qzplkvw", 200),
        ("econweb-qzplkvwt", 302),
        ("economics of green trams", 302),
        ("data-qzplkvw", 200),
        ("www--qzplkvw", 302),
        ("?! ?! ?! ?! xy", 302),
    ],
)
def test_password_has_eight_letters_beside_words_of_the_site(
    client: Client, settings: Settings, password: str, status: int
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "www.data.example.org"]
    client.force_login(User.objects.create_superuser("margaret.hamilton", password="old"))
    words = {"old_password": "old", "new_password1": password, "new_password2": password}

    assert client.post("/me/password/", words).status_code == status


def test_strong_password_is_accepted(client: Client) -> None:
    client.force_login(User.objects.create_superuser("margaret.hamilton", password="old"))
    words = {"old_password": "old", "new_password1": STRONG, "new_password2": STRONG}

    assert client.post("/me/password/", words).status_code == 302


@pytest.fixture
def margaret_leaves_meanwhile(monkeypatch: pytest.MonkeyPatch) -> User:
    """An account that ends while a new password is hashed."""
    encode = MD5PasswordHasher.encode
    user = User.objects.create_superuser("margaret.hamilton", password="old")

    def encode_and_end(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        if password == STRONG:
            call_command("sign_out", "margaret.hamilton", "--left", stdout=io.StringIO())
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode_and_end)
    return user


def test_account_that_ends_while_its_password_is_hashed_stays_ended(
    client: Client, margaret_leaves_meanwhile: User
) -> None:
    client.force_login(margaret_leaves_meanwhile)
    answer = client.post("/me/password/", {"old_password": "old", "new_password1": STRONG, "new_password2": STRONG})
    user = User.objects.get()

    assert answer["Location"] == "/me/"
    assert (user.is_active, user.has_usable_password()) == (False, False)
    assert not Session.objects.exists()
