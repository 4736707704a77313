"""A person whom the provider signs in has nothing of an earlier person of the name, unless an administrator says so."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from econweb.accounts import tokens
from econweb.accounts.models import Identity
from econweb.accounts.people import Person, Role
from econweb.config import log_config
from econweb.watching import subscriptions, watches
from tests.accounts.oidc.browser import is_signed_in, is_stranger, sign_in
from tests.accounts.oidc.stand_in import StandIn
from tests.library.builders import a_frozen_copy, a_saved_view

pytestmark = pytest.mark.django_db
PAGES = ("/me/saved/", "/me/frozen/", "/me/watches/")


def use_behind_a_proxy(settings: Settings, name: str = "ada") -> None:
    """Store what a person leaves whom the proxy named: a view, a copy, a watch and a feed."""
    settings.SIGN_IN = "proxy"
    a_saved_view(person=name, audience="me", title="A private view").save()
    a_frozen_copy(person=name, audience="me", title="A private copy").save()
    watches.follow(Person(name, Role.READER), "series", "/series/GNPCA/", [("series", "GNPCA")])
    subscriptions.renew_feed(name)
    settings.SIGN_IN = "oidc"


def test_stranger_of_an_old_name_is_refused(
    client: Client, provider: StandIn, at_a_provider: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    use_behind_a_proxy(at_a_provider)
    status, page = sign_in(client, provider)

    assert (status, "Your name was used here before" in page) == (403, True)
    assert is_stranger(client)
    log_config.WRITER.finish()
    assert "manage.py connect ada 1001" in capfd.readouterr().err


@pytest.mark.parametrize("left", ["watch", "feed"])
def test_stranger_is_refused_who_would_have_one_thing(
    client: Client, provider: StandIn, at_a_provider: Settings, left: str
) -> None:
    at_a_provider.SIGN_IN = "proxy"
    if left == "watch":
        watches.follow(Person("ada", Role.READER), "series", "/series/GNPCA/", [("series", "GNPCA")])
    else:
        subscriptions.renew_feed("ada")
    at_a_provider.SIGN_IN = "oidc"

    assert sign_in(client, provider)[0] == 403
    assert is_stranger(client)


def test_command_gives_a_person_what_the_proxy_knew_as_theirs(
    client: Client, provider: StandIn, at_a_provider: Settings
) -> None:
    use_behind_a_proxy(at_a_provider)
    call_command("connect", "ada", "1001", stdout=StringIO())

    assert sign_in(client, provider) == (302, "/me/")
    shown = "".join(client.get(page).text for page in PAGES)
    assert [text in shown for text in ("A private view", "A private copy", "GNPCA")] == [True] * 3
    assert subscriptions.subscription_of("ada")


def test_command_gives_an_account_with_a_role_what_the_proxy_knew(
    client: Client, provider: StandIn, at_a_provider: Settings
) -> None:
    at_a_provider.SIGN_IN = "proxy"
    call_command("role", "ada", "editor", stdout=StringIO())
    use_behind_a_proxy(at_a_provider)
    call_command("connect", "ada", "1001", stdout=StringIO())

    assert sign_in(client, provider)[0] == 302
    assert "GNPCA" in client.get("/me/watches/").text


@pytest.mark.parametrize("way", ["oidc", "password"])
def test_no_account_has_the_token_of_an_earlier_person(at_a_provider: Settings, way: str) -> None:
    at_a_provider.SIGN_IN = "proxy"
    token = tokens.renew_token("ada")
    call_command("role", "ada", "reader", stdout=StringIO())
    assert tokens.person_of_token(token) == "ada"
    at_a_provider.SIGN_IN = way
    command = ("connect", "ada", "1002") if way == "oidc" else ("invite", "ada", "--same-person")
    call_command(*command, stdout=StringIO(), stderr=StringIO())

    assert tokens.person_of_token(token) is None


def test_command_asks_before_an_account_that_is_there_has_what_the_proxy_knew(
    provider: StandIn, at_a_provider: Settings
) -> None:
    use_behind_a_proxy(at_a_provider)
    User.objects.create_user("ada")
    with pytest.raises(CommandError, match=r"left 2 saved views, .+ Add --same-person if it is the same person\."):
        call_command("connect", "ada", "1002")
    assert not Identity.objects.exists()
    assert subscriptions.subscription_of("ada") is None

    call_command("connect", "ada", "1002", "--same-person", stdout=StringIO())
    assert subscriptions.subscription_of("ada")
    call_command("connect", "ada", "1003", stdout=StringIO())


def test_command_connects_nobody_whose_subject_is_known(provider: StandIn, at_a_provider: Settings) -> None:
    grace = User.objects.create_user("grace")
    Identity.objects.create(issuer=provider.issuer, subject="1001", user=grace)
    use_behind_a_proxy(at_a_provider)
    with pytest.raises(CommandError, match="has an account already"):
        call_command("connect", "ada", "1001")

    assert not User.objects.filter(username="ada").exists()


@pytest.mark.parametrize("name", ["local editor", "Local Editor", "ada at the command line"])
def test_name_of_the_program_itself_is_refused(
    client: Client, provider: StandIn, at_a_provider: Settings, name: str
) -> None:
    at_a_provider.SIGN_IN = "local"
    watches.follow(Person("local editor", Role.EDITOR), "series", "/series/GNPCA/", [("series", "GNPCA")])
    subscriptions.renew_feed("local editor")
    at_a_provider.SIGN_IN = "oidc"
    provider.person["preferred_username"] = name
    status, page = sign_in(client, provider)

    assert (status, "This site itself uses your name" in page) == (403, True)
    assert is_stranger(client)
    with pytest.raises(CommandError, match="This site itself uses the name"):
        call_command("connect", name, "1001")


def test_account_that_has_the_name_of_the_local_editor_is_closed(
    client: Client, provider: StandIn, at_a_provider: Settings
) -> None:
    sign_in(client, provider)
    at_a_provider.SIGN_IN = "local"
    subscriptions.renew_feed("local editor")
    at_a_provider.SIGN_IN = "oidc"
    User.objects.update(username="local editor")

    assert not is_signed_in(client)
    assert sign_in(client, provider)[0] == 403
    assert subscriptions.subscription_of("local editor") is None
