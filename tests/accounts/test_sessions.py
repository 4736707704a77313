"""Sessions: when they end, and how a person sees and ends them."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from econweb.accounts import tokens
from econweb.accounts.models import Change, Session
from econweb.accounts.sessions import renew_session
from econweb.serving import sign_in
from tests.accounts.signed_in import HOURS, PASSWORD, put_clock, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def test_session_ends_after_twelve_idle_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A16"""
    client = signed_in()
    put_clock(monkeypatch, 12 * HOURS - 60)
    assert is_in(client)
    put_clock(monkeypatch, 12 * HOURS + 60)

    assert not is_in(client)


def test_session_in_use_ends_after_fourteen_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """A16"""
    client = signed_in()
    for _ in range(33):
        put_clock(monkeypatch, 10 * HOURS)
        assert is_in(client)
    put_clock(monkeypatch, 7 * HOURS)

    assert not is_in(client)


def test_sessions_page_lists_own_sessions_and_ends_one() -> None:
    """A16"""
    here, there, other = signed_in(browser="<b>Here"), signed_in(browser="There/2"), signed_in("bob", "Bob/3")
    page = here.get("/me/").text
    ids = re.findall(r'name="session" value="(\w+)"', page)
    here.post("/me/sessions/", {"session": ids[0]})

    assert "There/2" in page
    assert "&lt;b&gt;Here" in page
    assert "Bob/3" not in page
    assert len(ids) == 1
    assert there.cookies[settings.SESSION_COOKIE_NAME].value not in page
    assert (is_in(here), is_in(there), is_in(other)) == (True, False, True)


def test_sessions_page_shortens_the_name_of_a_browser() -> None:
    signed_in(browser="x" * 5000)

    assert re.findall("x{100,}", signed_in().get("/me/").text) == ["x" * 200]


def test_sessions_page_ends_all_other_sessions() -> None:
    """A16"""
    here, second, third, other = signed_in(), signed_in(), signed_in(), signed_in("bob")
    here.post("/me/sessions/", {"others": "1"})

    assert [is_in(client) for client in (here, second, third, other)] == [True, False, False, True]


def test_session_of_another_user_cannot_be_ended() -> None:
    here, other = signed_in(), signed_in("bob")
    second = signed_in("bob")
    ids = re.findall(r'name="session" value="(\w+)"', other.get("/me/").text)
    here.post("/me/sessions/", {"session": ids[0]})

    assert is_in(second)


def test_administrator_ends_the_sessions_of_an_account(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, other = signed_in(), signed_in(browser="There/2"), signed_in("bob")
    call_command("sign_out", "ada")
    call_command("sign_out", "ada")

    assert [is_in(client) for client in (first, second, other)] == [False, False, True]
    assert capsys.readouterr().out.splitlines() == [
        "Ended for ada: sessions 2, feeds 0, tokens 0.",
        "An open invitation stays valid for its week, or until ada signs in.",
        "Ended for ada: sessions 0, feeds 0, tokens 0.",
        "An open invitation stays valid for its week, or until ada signs in.",
    ]
    assert list(Change.objects.values_list("verb", "kind", "key")) == [("signed out", "sessions", "ada")]
    with pytest.raises(CommandError, match="There is no account 'eve'"):
        call_command("sign_out", "eve")


def test_sign_out_of_a_person_without_an_account_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    tokens.renew_token("eve")
    call_command("sign_out", "eve")

    assert capsys.readouterr().out == "Ended for eve: sessions 0, feeds 0, tokens 1.\n"
    assert list(Change.objects.values_list("verb", "key")) == [("signed out", "eve")]


def test_longest_name_of_an_account_is_recorded() -> None:
    """PostgreSQL refuses a longer text than the column has, and the sessions would go on."""
    name = "n" * 150
    client = signed_in(name)
    call_command("sign_out", name)

    assert not is_in(client)
    assert Change.objects.get().key == name


def test_sessions_page_needs_a_sign_in(client: Client) -> None:
    assert client.get("/me/")["Location"] == "/sign-in/?next=%2Fme%2F"


@pytest.mark.parametrize("key", ['"aaaaaaaaaaaa\\000"', "a" * 31, "a" * 33, "A" * 32, "é" * 32, "a" * 5000])
def test_impossible_session_asks_no_database(
    client: Client, key: str, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    """PostgreSQL refuses a query with NUL, which a cookie may spell as `\\000`."""
    with django_assert_num_queries(0):
        answer = client.get("/sign-in/", headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={key}"})

    assert answer.status_code == 200


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A person at a site that only people who are signed in read."""
    monkeypatch.setattr(settings, "READ", "signed-in")
    return signed_in()


def test_session_that_ends_while_it_is_extended_is_no_error(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker may end it between the look at it and the extension."""
    put_clock(monkeypatch, HOURS)

    def extend(request: HttpRequest) -> None:
        renew_session(request)
        Session.objects.all().delete()

    monkeypatch.setattr(sign_in, "renew_session", extend)
    assert reader.get("/help/").status_code == 200
    put_clock(monkeypatch, 2)
    assert reader.get("/help/").status_code == 302


def test_session_that_cannot_be_saved_is_a_failure_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django takes it for a session that has ended, and blames the address."""
    User.objects.create_user("ada", password=PASSWORD)
    save = Session.save

    def fail(session: Session, **how: Any) -> None:
        if how["force_update"]:
            raise OperationalError("database is locked")
        save(session, **how)

    monkeypatch.setattr(Session, "save", fail)
    page = Client().post("/sign-in/", {"username": "ada", "password": PASSWORD})

    assert page.status_code == 503
    assert "Its database cannot be used at the moment." in page.text


def test_session_of_an_old_password_leaves_no_row(reader: Client) -> None:
    user = User.objects.get()
    user.set_password("eight green trams at noon")
    user.save()

    assert reader.get("/help/").status_code == 302
    assert not Session.objects.exists()


def test_sign_in_removes_sessions_that_have_ended() -> None:
    Session.objects.create(session_key="x" * 32, session_data="", expire_date=timezone.now() - timedelta(seconds=1))

    signed_in()

    assert not Session.objects.filter(session_key="x" * 32).exists()
