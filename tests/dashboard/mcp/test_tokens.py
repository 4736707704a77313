"""Tokens of assistants: made on a page, shown once, and no longer valid than their person."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.accounts import tokens
from econweb.accounts.models import ReadingToken
from econweb.upstream import visitor_limits
from tests.dashboard.mcp.asking import ask, message, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stand_in", "with_passwords")]
PAGE = "/me/assistants/"


@pytest.fixture(autouse=True)
def signed_in_readers_only(settings: Settings) -> None:
    settings.READ = "signed-in"


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


def make_token(person: Client) -> str:
    found = re.search(r"Bearer ([0-9a-f]{40})", person.post(PAGE, {"new": "1"}).text)
    assert found
    return found[1]


def status(token: str) -> int:
    return int(send(Client(), message("tools/list"), Authorization=f"Bearer {token}").status_code)


def test_token_opens_the_address_and_no_page(ada: Client, client: Client) -> None:
    token = make_token(ada)
    header = {"Authorization": f"Bearer {token}"}

    assert status(token) == 200
    assert status(token.upper()) == status(token[:-1]) == 401
    assert Client().get("/help/", headers=header).status_code == 302
    assert Client().get("/me/", headers=header).status_code == 302


def test_session_alone_does_not_open_the_address(ada: Client) -> None:
    assert ada.get("/help/").status_code == 200
    assert ask(ada, "tools/list").status_code == 401


def test_token_is_shown_once_and_stored_as_a_digest(ada: Client) -> None:
    token = make_token(ada)
    page = ada.get(PAGE).text

    assert token not in page
    stored = ReadingToken.objects.get()
    assert f">{stored.created + timedelta(days=90):%Y-%m-%d %H:%M} UTC</time>. A new one ends it." in page
    assert stored.digest != token
    assert token not in str(ReadingToken.objects.values())


def test_new_token_ends_the_former_one(ada: Client) -> None:
    first, second = make_token(ada), make_token(ada)

    assert (status(first), status(second)) == (401, 200)
    assert ada.post(PAGE, {"end": "1"}).status_code == 302
    assert status(second) == 401


def test_token_ends_after_ninety_days(ada: Client) -> None:
    token = make_token(ada)
    ReadingToken.objects.update(created=timezone.now() - timedelta(days=90, seconds=-60))
    assert status(token) == 200

    ReadingToken.objects.update(created=timezone.now() - timedelta(days=90))
    assert status(token) == 401
    assert "Make a token" in ada.get(PAGE).text


def test_token_ends_with_the_account(ada: Client) -> None:
    token = make_token(ada)

    User.objects.update(is_active=False)
    assert status(token) == 401
    User.objects.all().delete()
    User.objects.create(username="ada", pk=999)
    assert status(token) == 401


def test_administrator_ends_a_token_with_the_sessions(ada: Client) -> None:
    token = make_token(ada)
    call_command("sign_out", "ada")

    assert status(token) == 401


def test_administrator_ends_the_token_of_a_person_whom_a_proxy_names(settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    token = tokens.renew_token("grace")
    assert status(token) == 200

    call_command("sign_out", "grace")
    assert status(token) == 401


def test_token_of_the_local_editor_stays_on_this_machine(settings: Settings) -> None:
    settings.SIGN_IN = "local"
    header = {"Authorization": f"Bearer {tokens.renew_token('local editor')}"}
    client = Client()

    assert client.post("/mcp", message("ping"), "application/json", headers=header).status_code == 200
    elsewhere = client.post("/mcp", message("ping"), "application/json", headers=header, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 401


def test_token_is_in_no_log_line(ada: Client) -> None:
    with capture_logs() as logs:
        token = make_token(ada)
        status(token)

    assert logs
    assert token not in str(logs)


def test_requests_count_for_the_person(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    token, seen = make_token(ada), []

    def reply(*_: object) -> dict[str, object]:
        seen.append(visitor_limits.visitor.get())
        return {}

    monkeypatch.setattr("econweb.dashboard.mcp.views.reply_to", reply)
    status(token)

    assert seen == ["person ada"]


def test_page_needs_a_person_and_a_form_of_this_site(ada: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get())

    assert Client().get(PAGE).status_code == 302
    assert strict.post(PAGE, {"new": "1"}).status_code == 403
    assert not ReadingToken.objects.exists()


def test_page_says_that_no_token_is_needed_where_everybody_reads(ada: Client, settings: Settings) -> None:
    settings.READ = "anyone"
    page = ada.get(PAGE).text

    assert "your assistant needs no token" in page
    assert "Bearer" not in page
    assert "http://testserver/mcp" in page


def test_page_goes_with_the_address(ada: Client, settings: Settings) -> None:
    assert PAGE in ada.get("/me/").text
    settings.MCP = False

    assert ada.get(PAGE).status_code == 404
    assert PAGE not in ada.get("/me/").text
