"""`manage.py sign_out NAME --left` ends what a person has at this site, also where a proxy names the person."""

from contextlib import nullcontext
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts import tokens
from econweb.accounts.models import Change
from econweb.accounts.people import Role, role_of
from econweb.watching import subscriptions
from econweb.watching.models import WatchedSource
from econweb.watching.watches import settle_all
from tests.accounts.test_admin import form_of
from tests.accounts.test_invitations import NEW, invite
from tests.watching.looks import World

pytestmark = pytest.mark.django_db


def is_looked_at() -> bool:
    settle_all()
    return WatchedSource.objects.filter(due__lte=timezone.now() + timedelta(days=9)).exists()


@pytest.mark.parametrize(
    ("way", "has_account"), [("proxy", False), ("proxy", True), ("password", True), ("oidc", True)]
)
def test_looks_feed_and_token_of_somebody_who_left_end(
    way: str, has_account: bool, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SIGN_IN = way
    if has_account:
        User.objects.create_user("bob")
    feed, token = subscriptions.renew_feed("bob"), tokens.renew_token("bob")
    World().follow("A", person="bob")
    assert is_looked_at()

    call_command("sign_out", "bob", "--left")

    assert not is_looked_at()
    assert (subscriptions.subscription_of_token(feed), tokens.person_of_token(token)) == (None, None)
    assert capsys.readouterr().out == "Ended for bob: sessions 0, feeds 1, tokens 1, and the account.\n"
    assert Change.objects.filter(kind="account", key="bob").count() == 1
    call_command("sign_out", "bob", "--left")
    assert Change.objects.filter(kind="account").count() == 1
    # Not a new one either.
    assert subscriptions.subscription_of_token(subscriptions.renew_feed("bob")) is None


def test_wrong_name_ends_no_account_where_people_have_accounts(settings: Settings) -> None:
    settings.SIGN_IN = "password"
    with pytest.raises(CommandError, match="There is no account 'eve'"):
        call_command("sign_out", "eve", "--left")

    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["CORP\\ada", "Ada Lovelace"])
def test_person_of_any_name_that_a_proxy_may_send_leaves(name: str, settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    token = tokens.renew_token(name)
    assert tokens.person_of_token(token) == name
    call_command("sign_out", name, "--left")

    assert tokens.person_of_token(token) is None
    assert User.objects.get().username == name
    assert not User.objects.get().is_active


@pytest.mark.parametrize("name", ["", " ada", "a,b", "a\tb", "x" * 151])
def test_name_that_no_proxy_may_send_ends_no_account(name: str, settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    with pytest.raises(CommandError, match="The proxy cannot name"):
        call_command("sign_out", name, "--left")

    assert not User.objects.exists()


@pytest.mark.parametrize("way", ["oidc", "password"])
def test_what_a_proxy_left_without_an_account_ends_without_one(
    way: str, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SIGN_IN = "proxy"
    token = tokens.renew_token("Ada Lovelace")
    settings.SIGN_IN = way
    call_command("sign_out", "Ada Lovelace", "--left")

    assert capsys.readouterr().out == "Ended for Ada Lovelace: sessions 0, feeds 0, tokens 1.\n"
    assert not User.objects.exists()
    settings.SIGN_IN = "proxy"
    assert tokens.person_of_token(token) is None


def test_name_that_nothing_has_is_said_to_be_unknown(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.SIGN_IN = "proxy"
    call_command("sign_out", "adda", "--left")
    first = capsys.readouterr().out
    call_command("sign_out", "adda", "--left")

    assert "Nothing had that name: check its spelling. From now on nobody may use 'adda'; " in first
    assert "manage.py role NAME reader --returned" in first
    assert "spelling" not in capsys.readouterr().out


def test_name_that_only_watches_have_is_known(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.SIGN_IN = "proxy"
    World().follow("A", person="bob")
    call_command("sign_out", "bob", "--left")

    assert "spelling" not in capsys.readouterr().out


ENDED = "The account of ada has ended. If the person is back: manage.py role ada {} --returned"


def test_role_of_an_ended_account_is_refused_until_its_person_is_back(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SIGN_IN = "proxy"
    call_command("role", "ada", "admin")
    call_command("sign_out", "ada", "--left")
    with pytest.raises(CommandError) as refused:
        call_command("role", "ada", "editor")
    assert str(refused.value) == ENDED.format("editor")
    assert not User.objects.get().is_active

    call_command("role", "ada", "editor", "--returned")
    ada = User.objects.get()
    assert (ada.is_active, role_of(ada)) == (True, Role.EDITOR)
    assert "ada is now an editor." in capsys.readouterr().out
    back = Change.objects.filter(kind="account")[0]
    assert (back.before, back.after) == ({"active": False}, {"active": True})


def test_returned_person_follows_again(settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    World().follow("A", person="bob")
    call_command("sign_out", "bob", "--left")
    assert not is_looked_at()
    call_command("role", "bob", "reader", "--returned")

    assert is_looked_at()


def test_person_who_never_left_returns_without_a_record(settings: Settings) -> None:
    settings.SIGN_IN = "password"
    User.objects.create_user("ada")
    call_command("role", "ada", "editor", "--returned")

    assert not Change.objects.filter(kind="account").exists()


@pytest.mark.parametrize(
    ("way", "command"),
    [("password", ["invite", "ada"]), ("local", ["invite", "ada"]), ("oidc", ["connect", "ada", "1"])],
)
def test_commands_of_the_sign_in_refuse_an_ended_account(way: str, command: list[str], settings: Settings) -> None:
    settings.SIGN_IN = way
    User.objects.create_superuser("ada", is_active=False)
    with pytest.raises(CommandError) as refused:
        call_command(*command)

    assert str(refused.value) == ENDED.format("reader")
    assert not Change.objects.exists()


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("password", ["", "forgotten since"])
def test_invitation_of_an_ended_account_stays_ended_when_its_person_is_back(client: Client, password: str) -> None:
    User.objects.create_user("ada", password=password or None)
    link = invite()
    assert client.get(link).status_code == 200
    call_command("sign_out", "ada", "--left", stdout=StringIO())
    call_command("role", "ada", "reader", "--returned", stdout=(said := StringIO()))

    assert (client.get(link).status_code, client.post(link, NEW).status_code) == (404, 404)
    assert "A new password is chosen at a link: manage.py invite ada" in said.getvalue()
    assert client.get(invite()).status_code == 200


@pytest.mark.parametrize(("role", "is_named"), [("reader", False), ("admin", True)])
def test_link_to_a_password_is_named_only_for_an_account_that_may_have_one(role: str, is_named: bool) -> None:
    User.objects.create_superuser("ada", is_active=False)
    call_command("role", "ada", role, "--returned", stdout=(said := StringIO()))

    assert ("manage.py invite ada" in said.getvalue()) == is_named
    with nullcontext() if is_named else pytest.raises(CommandError, match="ada needs no account here"):
        invite()


@pytest.mark.usefixtures("with_passwords")
def test_invitation_stays_ended_when_the_admin_clears_active_and_sets_it_again(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    link, page = invite(), f"/admin/auth/user/{ada.pk}/change/"
    ended = form_of(admin_client, ada)
    del ended["is_active"]
    for form in (ended, {}):
        admin_client.post(page, form or form_of(admin_client, ada))

    ada.refresh_from_db()
    assert (ada.is_active, Client().get(link).status_code) == (True, 404)
