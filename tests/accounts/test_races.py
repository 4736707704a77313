"""Requests at the same time: one invitation is used once, one person has one account, and no lock waits for ever.

PostgreSQL runs these tests too (tests/catalogue/test_postgresql.py): SQLite lets one transaction write at a time.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import StringIO
from threading import Barrier, BrokenBarrierError, Event
from time import sleep

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test import Client
from pytest_django import Settings

from econweb.accounts import throttle
from econweb.accounts.models import Identity
from econweb.accounts.oidc import person
from econweb.accounts.oidc.flow import Claims, begin_flow
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_posts_at_once_use_an_invitation_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SIGN_IN = "password"
    printed, both = StringIO(), Barrier(2, timeout=60)
    call_command("invite", "ada", stdout=printed, stderr=StringIO())
    link, encode = printed.getvalue().strip().removeprefix("http://127.0.0.1:8000"), MD5PasswordHasher.encode

    def encode_together(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        # The invitation was found to be valid.
        both.wait()
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode_together)

    def choose(word: str) -> Callable[[], object]:
        return lambda: Client().post(link, {"new_password1": word, "new_password2": word}).status_code

    words = ["seven green trams at noon", "eight green trams at noon"]
    statuses = at_once(*map(choose, words))
    monkeypatch.undo()

    assert sorted(map(str, statuses)) == ["302", "404"]
    assert sum(User.objects.get().check_password(word) for word in words) == 1


def during(change: Callable[[], object], act: Callable[[], object]) -> list[object]:
    """Act while another transaction has made a change; return what that returned or raised."""
    has_changed = Event()

    def hold() -> None:
        with transaction.atomic():
            change()
            has_changed.set()
            # What acts reads what it reads before it waits.
            sleep(0.5)

    def act_then() -> object:
        has_changed.wait(10)
        return act()

    return [result for result in at_once(hold, act_then) if result]


def run(*command: str) -> Callable[[], object]:
    return partial(call_command, *command, stdout=StringIO())


def test_role_that_waits_for_the_end_of_an_account_leaves_it_ended() -> None:
    User.objects.create_user("ada")
    (refused,) = during(run("sign_out", "ada", "--left"), run("role", "ada", "editor"))

    assert "The account of ada has ended." in str(refused)
    assert not User.objects.get().is_active
    assert not User.objects.get().groups.exists()


@pytest.mark.parametrize(
    ("command", "field"), [(("role", "ada", "editor"), "password"), (("sign_out", "ada", "--left"), "email")]
)
def test_command_stores_only_what_it_changes(command: tuple[str, ...], field: str) -> None:
    User.objects.create_user("ada", email="ada@example.org")
    assert not during(lambda: User.objects.update(**{field: "new"}), run(*command))

    assert getattr(User.objects.get(), field) == "new"


def test_password_that_the_admin_sets_meanwhile_leaves_an_ended_account_without_one(admin_client: Client) -> None:
    ada = User.objects.create_user("ada", password="old")
    word = "seven green trams at noon"
    form = {"password1": word, "password2": word, "usable_password": "true"}
    give = partial(admin_client.post, f"/admin/auth/user/{ada.pk}/password/", form)
    (page,) = during(run("sign_out", "ada", "--left"), give)

    assert "This account has ended, so no password can be set." in getattr(page, "text", "")
    assert not User.objects.get(username="ada").has_usable_password()


def test_two_first_sign_ins_of_one_person_find_one_account(monkeypatch: pytest.MonkeyPatch) -> None:
    both, choose_name = Barrier(2, timeout=60), person._choose_name

    def choose_together(claims: Claims) -> str:
        # On SQLite the second one waits for the first: it finds the account.
        if connection.vendor == "postgresql":
            with suppress(BrokenBarrierError):
                both.wait()
                both.abort()
        return choose_name(claims)

    monkeypatch.setattr(person, "_choose_name", choose_together)
    claims = Claims("https://sso.example.org", "1001", {"preferred_username": "ada"}, "")

    found = at_once(*[lambda: person.find_account(begin_flow("/"), claims, lambda _: None)] * 2)

    assert found == [User.objects.get()] * 2
    assert Identity.objects.count() == 1


def test_tries_at_once_never_wait_for_each_other_for_ever() -> None:
    """A right password and a try for the same account from the same client, time and again."""
    both = Barrier(2, timeout=60)

    def repeat(act: Callable[[str, str, str], object]) -> Callable[[], object]:
        def run() -> None:
            try:
                for number in range(100):
                    both.wait()
                    act(f"account{number}", f"192.0.2.{number}", "")
            except OperationalError:
                both.abort()
                raise

        return run

    for number in range(100):
        throttle.start_try(f"account{number}", f"192.0.2.{number}")

    assert at_once(repeat(throttle.start_try), repeat(throttle.forget_tries)) == [None] * 2


def test_first_sign_in_finds_the_account_that_another_has_just_created(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([True])
    monkeypatch.setattr(person, "_is_taken", lambda name: next(taken, False))
    claims = Claims("https://sso.example.org", "1001", {"preferred_username": "ada"}, "")

    assert person.find_account(begin_flow("/"), claims, lambda _: None) == User.objects.get()
