"""Accounts of people whom a provider signs in: who they are, when they end, and that none has a password."""

from io import StringIO
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from pytest_django import Settings

from econweb.accounts.models import Change, Identity
from econweb.accounts.people import Role, role_of
from econweb.config import log_config
from tests.accounts.oidc.browser import is_signed_in, sign_in
from tests.accounts.oidc.stand_in import StandIn
from tests.accounts.signed_in import HOURS, PASSWORD, put_clock

pytestmark = pytest.mark.django_db


def test_person_is_known_by_the_subject(client: Client, provider: StandIn) -> None:
    sign_in(client, provider)
    provider.person["preferred_username"] = "lovelace"

    assert sign_in(Client(), provider)[0] == 302
    assert User.objects.get().username == "ada"


@pytest.mark.parametrize("name", ["ada", "ADA", " ada ", "ａｄａ"])
def test_name_of_another_account_is_refused(client: Client, provider: StandIn, name: str) -> None:
    User.objects.create_superuser("ada", password=PASSWORD)
    provider.person |= {"preferred_username": name, "sub": "6666"}
    status, page = sign_in(client, provider)

    assert (status, "Your name is taken" in page) == (403, True)
    assert not is_signed_in(client)
    assert User.objects.count() == 1


def test_command_connects_a_person_with_an_account(
    client: Client, provider: StandIn, capfd: pytest.CaptureFixture[str]
) -> None:
    User.objects.create_superuser("ada", password=PASSWORD)
    sign_in(client, provider)
    log_config.WRITER.finish()
    assert "manage.py connect ada 1001" in capfd.readouterr().err
    call_command("connect", "ada", "1001", stdout=StringIO())

    assert sign_in(client, provider) == (302, "/me/")
    assert "You are an admin" in client.get("/me/").text
    assert not User.objects.get().has_usable_password()
    assert Change.objects.get(kind="identity").after == {"subject": "1001"}


def test_command_connects_no_subject_twice(client: Client, provider: StandIn) -> None:
    sign_in(client, provider)
    User.objects.create_user("grace")
    with pytest.raises(CommandError, match="has an account already"):
        call_command("connect", "grace", "1001")
    with pytest.raises(CommandError, match="no account 'linus'"):
        call_command("connect", "linus", "1002")
    call_command("connect", "ada", "1002", stdout=StringIO())
    provider.person["sub"] = "1002"

    assert sign_in(Client(), provider)[0] == 302
    assert Identity.objects.get().subject == "1002"


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"preferred_username": "Ada Lovelace"}, "Ada Lovelace"),
        ({"preferred_username": "", "email": "ada@example.org", "email_verified": True}, "ada@example.org"),
        ({"preferred_username": None, "email": "ada@example.org"}, "1001"),
        ({"preferred_username": ["ada"]}, "1001"),
        ({"preferred_username": "x" * 151}, "1001"),
        ({"preferred_username": "a\u202eb"}, "1001"),
        ({"preferred_username": "a\x00b"}, "1001"),
    ],
)
def test_account_has_a_name_that_can_be_shown(
    client: Client, provider: StandIn, claims: dict[str, object], name: str
) -> None:
    provider.person |= claims

    assert sign_in(client, provider)[0] == 302
    assert User.objects.get().username == name


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        ({"preferred_username": "linus"}, Role.ADMIN),
        ({"email": "grace@example.org", "email_verified": True}, Role.EDITOR),
        ({"email": "grace@example.org"}, Role.READER),
        ({"email": "grace@example.org", "email_verified": "true"}, Role.READER),
        ({"preferred_username": "grace@example.org"}, Role.READER),
    ],
)
def test_settings_name_people_by_name_or_verified_address(
    client: Client, provider: StandIn, settings: Settings, claims: dict[str, object], role: Role
) -> None:
    settings.EDITOR_NAMES, settings.ADMIN_NAMES = ["grace@example.org"], ["linus"]
    provider.person |= claims
    sign_in(client, provider)

    assert role_of(User.objects.get()) == role


@pytest.mark.parametrize("name", ["ｌinus", " linus", "linus\u00a0", "ℓinus"])
def test_name_that_only_looks_like_another_gives_no_role(
    client: Client, provider: StandIn, settings: Settings, name: str
) -> None:
    """A44"""
    settings.ADMIN_NAMES = ["linus"]
    provider.person["preferred_username"] = name

    assert sign_in(client, provider)[0] == 302
    assert (User.objects.get().username, role_of(User.objects.get())) == ("1001", Role.READER)


def test_address_that_is_no_longer_verified_is_dropped(client: Client, provider: StandIn) -> None:
    provider.person |= {"email": "ada@example.org", "email_verified": True}
    sign_in(client, provider)
    assert User.objects.get().email == "ada@example.org"
    provider.person["email_verified"] = False
    sign_in(Client(), provider)

    assert User.objects.get().email == ""


def test_ended_account_is_refused_and_its_session_ends(client: Client, provider: StandIn) -> None:
    sign_in(client, provider)
    User.objects.update(is_active=False)
    status, page = sign_in(Client(), provider)

    assert (status, "Your account has ended" in page) == (403, True)
    assert not is_signed_in(client)


def test_session_ends_after_twelve_hours_of_use(
    client: Client, provider: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(client, provider)
    put_clock(monkeypatch, 7 * HOURS)
    assert is_signed_in(client)
    put_clock(monkeypatch, 4.9 * HOURS)
    assert is_signed_in(client)
    put_clock(monkeypatch, 0.2 * HOURS)

    assert not is_signed_in(client)


def test_password_signs_nobody_in(client: Client, provider: StandIn) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    answer = client.post("/sign-in/", {"username": "root", "password": PASSWORD})

    assert answer["Location"].startswith(provider.issuer)
    assert not client.login(username="root", password=PASSWORD)
    assert not is_signed_in(client)


def test_session_that_began_with_a_password_has_ended(client: Client, settings: Settings, provider: StandIn) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    client.force_login(User.objects.get(), "django.contrib.auth.backends.ModelBackend")

    assert not is_signed_in(client)


def test_password_pages_say_that_there_are_none(client: Client, provider: StandIn) -> None:
    sign_in(client, provider)
    user = User.objects.get()
    account = urlsafe_base64_encode(force_bytes(user.pk))
    link = f"/sign-in/{account}/{default_token_generator.make_token(user)}/"
    new = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    answers = [client.get("/me/password/"), client.post("/me/password/", new), client.get(link), client.post(link, new)]

    assert {(answer.status_code, "This site has no passwords" in answer.text) for answer in answers} == {(404, True)}
    assert "password" not in client.get("/me/").text
    with pytest.raises(CommandError, match="People sign in elsewhere"):
        call_command("invite", "grace")
    with pytest.raises(CommandError, match="Its person signs in first"):
        call_command("role", "grace", "editor")
    call_command("role", "ada", "editor", stdout=StringIO())


@pytest.mark.parametrize("path", ["/sign-in/callback/", "/sign-in/signed-out/"])
def test_sites_with_passwords_have_no_callback(client: Client, settings: Settings, path: str) -> None:
    settings.SIGN_IN = "password"

    assert client.get(path, {"code": "x", "state": "y"}).status_code == 404


def test_sign_out_ends_the_session_here_and_at_the_provider(client: Client, provider: StandIn) -> None:
    provider.metadata["end_session_endpoint"] = f"{provider.issuer}/end?x=1"
    sign_in(client, provider)
    page = client.post("/me/sign-out/").text
    link = page.partition('content="0; url=')[2].partition('"')[0].replace("&amp;", "&")
    asked = parse_qs(urlsplit(link).query)

    assert link.startswith(f"{provider.issuer}/end?x=1&")
    assert asked["post_logout_redirect_uri"] == ["http://testserver/sign-in/signed-out/"]
    assert asked["id_token_hint"][0].count(".") == 2
    assert not is_signed_in(client)
    assert "Signed out" in client.get("/sign-in/signed-out/").text


def test_sign_out_is_for_this_site_where_the_provider_has_none(client: Client, provider: StandIn) -> None:
    sign_in(client, provider)
    answer = client.post("/me/sign-out/")

    assert (answer.status_code, "http-equiv" in answer.text) == (200, False)
    assert not is_signed_in(client)


def test_reading_only_for_people_who_are_signed_in(client: Client, provider: StandIn, settings: Settings) -> None:
    settings.READ = "signed-in"
    asked = client.get("/help/")
    assert asked["Location"] == "/sign-in/?next=%2Fhelp%2F"

    assert sign_in(client, provider, "/help/") == (302, "/help/")
    assert client.get("/help/").status_code == 200


def test_session_ends_when_the_site_names_another_provider(
    client: Client, provider: StandIn, at_a_provider: Settings
) -> None:
    sign_in(client, provider)
    User.objects.update(is_staff=True, is_superuser=True)
    assert client.get("/admin/").status_code == 200
    at_a_provider.OIDC_ISSUER = "https://sso.example.org"
    at_a_provider.READ = "signed-in"

    # The check before each page is built at the first request.
    again = Client()
    again.cookies = client.cookies

    assert [again.get(path).status_code for path in ("/me/", "/help/", "/admin/")] == [302] * 3
    assert not is_signed_in(client)
