"""The account of an invitation, its role and its first sign-in."""

import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from econweb.accounts.people import Role, role_of
from econweb.management.commands.role import set_role
from tests.accounts.test_invitations import NEW, invite
from tests.accounts.test_sign_in import counted
from tests.document_commands import section

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]


@pytest.mark.parametrize("has", list(Role))
@pytest.mark.parametrize("asked", list(Role))
def test_role_of_an_account_that_exists_is_changed_by_no_invitation(has: Role, asked: Role) -> None:
    set_role(User(username="ada"), has)
    options = ["--role", asked.name.lower()]

    if asked == has:
        assert invite(*options)
    else:
        with pytest.raises(
            CommandError, match=rf"role {has.name.lower()}.*: manage\.py role ada {asked.name.lower()}$"
        ):
            invite(*options)
    assert role_of(User.objects.get()) == has


def test_invitation_says_whether_the_account_is_new() -> None:
    for words in ("is new, with the role editor", "exists, with the role editor"):
        call_command("invite", "ada", "--role", "editor", stdout=StringIO(), stderr=(said := StringIO()))
        assert f"The account ada {words}.\n" in said.getvalue()


def test_name_of_an_account_in_other_capitals_is_refused() -> None:
    User.objects.create_user("ada")

    with pytest.raises(CommandError, match=r"^Ada differs only in capitals from the account ada\. "):
        call_command("invite", "Ada", stdout=StringIO(), stderr=StringIO())
    assert User.objects.count() == 1
    User.objects.create_user("ADA")
    assert invite()


def test_sign_in_by_an_invitation_is_counted_once(client: Client) -> None:
    link, before = invite(), counted("ok")
    client.post(link, {"new_password1": "short", "new_password2": "short"})
    refused = counted("ok") - before
    for _ in range(2):
        client.post(link, NEW)

    assert (refused, counted("ok") - before) == (0, 1)


@pytest.mark.parametrize("way", ["password", "oidc", "proxy"])
def test_row_of_somebody_who_comes_leads_to_the_role(way: str, settings: Settings) -> None:
    settings.SIGN_IN = way
    (row,) = re.findall(rf"^\| `{way}` \| .*", section("Somebody who comes"), re.MULTILINE)
    if way == "oidc":
        # The first sign-in makes the account.
        User.objects.create_user("ada")

    for command in re.findall(r"`manage\.py ([^`]+)`", row):
        words = command.replace("NAME", "ada").replace("ROLE", "editor").split()
        call_command(*words, stdout=StringIO(), stderr=StringIO())

    assert role_of(User.objects.get()) == Role.EDITOR
