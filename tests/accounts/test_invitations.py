"""Invitations: a link that is valid once, for a week, and the password that is chosen there."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.accounts.people import Person, Role, role_of
from econweb.config import log_config
from econweb.watching import subscriptions, watches
from tests.library.builders import a_frozen_copy, a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
NEW = {"new_password1": "seven green trams at noon", "new_password2": "seven green trams at noon"}


def invite(*options: str) -> str:
    """Return the path of the link."""
    printed = StringIO()
    call_command("invite", "ada", *options, stdout=printed, stderr=StringIO())
    return printed.getvalue().strip().removeprefix("http://127.0.0.1:8000")


def test_invited_person_chooses_a_password_and_is_signed_in(client: Client) -> None:
    link = invite("--role", "editor")
    page, answer = client.get(link), client.post(link, NEW)

    assert "Choose a password for ada" in page.text
    assert answer["Location"] == "/me/"
    assert "You are an editor" in client.get("/me/").text
    assert role_of(User.objects.get()) == Role.EDITOR
    assert Client().post("/sign-in/", {"username": "ada", "password": NEW["new_password1"]}).status_code == 302


def test_guessed_address_is_named_beside_the_link(settings: Settings) -> None:
    printed, said = StringIO(), StringIO()
    call_command("invite", "ada", stdout=printed, stderr=said)
    call_command("invite", "bob", "--url", "http://127.0.0.1:8001", stdout=(named := StringIO()), stderr=StringIO())
    settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE = ["portal.example.org"], True
    call_command("invite", "eve", stdout=(public := StringIO()), stderr=(quiet := StringIO()))

    guess = "The address http://127.0.0.1:8000 is a guess: add --url where the site has another host or port."
    assert printed.getvalue().startswith("http://127.0.0.1:8000/sign-in/")
    assert guess in said.getvalue()
    assert named.getvalue().startswith("http://127.0.0.1:8001/sign-in/")
    assert public.getvalue().startswith("https://portal.example.org/sign-in/")
    assert "guess" not in quiet.getvalue()


NO_SITES = ["nonsense", "portal.example.org", "ftp://portal.example.org", "https://", "http://[", "http://x:99999"]
WITH_MORE = [
    "http://x/?a",
    "http://x?",
    "http://x/#a",
    "http://ada@x",
    "http://ada:word@x/",
    "http://x /",
    "http://x/\n",
]


@pytest.mark.parametrize("address", NO_SITES + WITH_MORE)
def test_invitation_needs_the_address_of_a_site(address: str) -> None:
    with pytest.raises(
        CommandError, match=r"write it like https://portal\.example\.org, without a user, query or fragm"
    ):
        invite("--url", address)

    assert not User.objects.exists()


def test_invitation_is_valid_once(client: Client) -> None:
    link = invite()
    client.post(link, NEW)
    answer = Client().get(link)

    assert answer.status_code == 404
    assert "This invitation has ended" in answer.text


def test_invitation_ends_after_a_week(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    link = invite()
    later = timezone.now().replace(tzinfo=None) + timedelta(days=8)
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: later)

    assert client.get(link).status_code == 404


@pytest.mark.parametrize("part", ["MQ", "MTIz", "!!", "x" * 500])
def test_invitation_of_another_account_is_refused(client: Client, part: str) -> None:
    token = invite().rstrip("/").rpartition("/")[2]
    User.objects.create_user("grace")

    assert client.get(f"/sign-in/{part}/{token}x/").status_code == 404


def test_weak_password_is_refused_at_an_invitation(client: Client) -> None:
    answer = client.post(invite(), {"new_password1": "short", "new_password2": "short"})

    assert "too short" in answer.text
    assert not User.objects.get().has_usable_password()


def test_forgotten_password_is_chosen_again_and_the_role_stays(client: Client) -> None:
    user = User.objects.create_superuser("ada", password="forgotten since")
    client.post(invite(), NEW)
    user.refresh_from_db()

    assert user.check_password(NEW["new_password1"])
    assert role_of(user) == Role.ADMIN


def test_address_of_an_invitation_is_recorded_with_the_role_that_it_gives(settings: Settings) -> None:
    settings.EDITOR_NAMES = frozenset({"ada@example.org"})
    User.objects.create_user("ada", email="old@example.org")
    invite("--mail", "ada@example.org")
    invite("--mail", "ada@example.org")

    (change,) = Change.objects.filter(kind="account")
    assert (change.verb, change.key) == ("changed", "ada")
    found = [("mail", "old@example.org", "ada@example.org"), ("role", "reader", "editor")]
    assert change.differences() == found


def test_address_that_cannot_be_recorded_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = User.objects.create_user("ada", email="old@example.org")
    monkeypatch.setattr("econweb.management.commands.invite.record_changes", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        invite("--mail", "ada@example.org")

    ada.refresh_from_db()
    assert ada.email == "old@example.org"


def test_name_that_no_account_can_have_is_refused() -> None:
    with pytest.raises(CommandError, match="valid username"):
        call_command("invite", "a b")


def test_empty_name_is_asked_for() -> None:
    with pytest.raises(CommandError, match=r"^The name is empty\. Enter one, such as: manage\.py invite ada$"):
        call_command("invite", "")


def test_invitation_is_in_no_log_line(client: Client, capfd: pytest.CaptureFixture[str]) -> None:
    """O8: also of a form that is refused, and of a link that was copied with too much behind it or another spelling."""
    link = invite()
    token = link.rstrip("/").rpartition("/")[2]
    log_config.WRITER.finish()
    capfd.readouterr()

    statuses = [client.get(address).status_code for address in (link, link.rstrip("/"), f"{link}x", f"{link}%0a")]
    for wrong in ("/Sign-in/MQ/", "/SIGN-IN/MQ/", "/sign-in//MQ//", "/%2573ign-in/MQ/", "/sign%252Din%252FMQ%252f"):
        assert client.get(f"{wrong}{token}").status_code == 404
    statuses.append(Client(enforce_csrf_checks=True).post(link, NEW).status_code)

    log_config.WRITER.finish()
    written = capfd.readouterr().err
    assert statuses == [200, 301, 404, 404, 403]
    assert "CSRF" in written
    assert token not in written


def test_invitation_lets_a_person_in_while_others_guess(client: Client) -> None:
    """A3"""
    invited = Client(REMOTE_ADDR="192.0.2.1")
    invited.post(invite(), NEW)
    for number in range(10):
        Client(REMOTE_ADDR=f"192.0.2.{number}").post("/sign-in/", {"username": "ada", "password": "wrong"})
    right = {"username": "ada", "password": NEW["new_password1"]}
    invited.post("/me/sign-out/")

    assert Client(REMOTE_ADDR="192.0.2.1").post("/sign-in/", right).status_code == 429
    assert invited.post("/sign-in/", right).status_code == 302


def test_name_that_owns_something_is_given_to_the_same_person_only() -> None:
    """Somebody else would see what is private."""
    a_saved_view(person="ada", audience="me").save()
    a_frozen_copy(person="ada").save()

    with pytest.raises(CommandError, match="An earlier person of the name ada left 2 saved views, frozen copies"):
        call_command("invite", "ada", stdout=StringIO(), stderr=StringIO())
    assert not User.objects.exists()
    call_command("invite", "ada", "--same-person", stdout=StringIO(), stderr=StringIO())
    # An account that is there is invited again as ever.
    call_command("invite", "ada", stdout=StringIO(), stderr=StringIO())
    call_command("invite", "bob", stdout=StringIO(), stderr=StringIO())
    assert User.objects.count() == 2


def follow() -> None:
    watches.follow(Person("ada", Role.READER), "series", "/series/GNPCA/", [("series", "GNPCA")])


@pytest.mark.parametrize("has_account", [False, True])
def test_watches_of_the_time_of_a_proxy_are_given_to_the_same_person_only(
    settings: Settings, has_account: bool
) -> None:
    settings.SIGN_IN = "proxy"
    follow()
    if has_account:
        User.objects.create_user("ada")
    settings.SIGN_IN = "password"

    with pytest.raises(CommandError, match="An earlier person of the name ada left 1 saved views, frozen copies"):
        call_command("invite", "ada", stdout=StringIO(), stderr=StringIO())
    assert User.objects.exists() == has_account
    User.objects.get_or_create(username="ada")
    assert not watches.watches_of("ada").exists()
    call_command("invite", "ada", "--same-person", stdout=StringIO(), stderr=StringIO())
    assert watches.watches_of("ada").count() == 1
    call_command("invite", "ada", stdout=StringIO(), stderr=StringIO())


def test_account_with_a_role_keeps_what_its_person_follows_behind_a_proxy(settings: Settings) -> None:
    settings.SIGN_IN = "proxy"
    follow()
    call_command("role", "ada", "editor", stdout=StringIO())
    assert watches.watches_of("ada").count() == 1

    settings.SIGN_IN = "password"
    call_command("invite", "ada", stdout=StringIO(), stderr=StringIO())
    assert watches.watches_of("ada").count() == 1


def test_watches_of_an_account_are_those_of_its_person_behind_a_proxy(settings: Settings) -> None:
    User.objects.create_user("ada")
    follow()
    token = subscriptions.renew_feed("ada")
    settings.SIGN_IN = "proxy"

    assert watches.watches_of("ada").count() == 1
    assert subscriptions.subscription_of_token(token)
