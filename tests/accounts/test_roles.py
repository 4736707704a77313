"""Roles: where they come from, and what each may do."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.accounts.people import EDIT_NAMES, Person, Role, person_of, role_of
from tests.dashboard.reading import links

pytestmark = pytest.mark.django_db
WORD = "seven green trams at noon"
PAGES = [
    "/me/",
    "/me/password/",
    "/me/names/",
    "/me/names.csv",
    "/me/names/category/125/",
    "/changes/",
    "/changes/record.csv",
]
FOR_EDITORS = PAGES[2:]
POSTS = ["/me/sessions/", "/me/password/", "/me/names/", "/me/names/category/125/", "/me/changes/1/undo/"]


@pytest.mark.parametrize("role", Role)
def test_command_gives_each_role_and_records_it(role: Role) -> None:
    user = User.objects.create_user("ada")
    call_command("role", "ada", "editor")
    call_command("role", "ada", role.name.lower())
    user.refresh_from_db()

    assert role_of(user) == role
    assert user.is_staff == (role == Role.ADMIN)
    assert Change.objects.filter(kind="role", key="ada").count() == (1 if role == Role.EDITOR else 2)


def test_command_refuses_an_unknown_account() -> None:
    with pytest.raises(CommandError, match="There is no account 'ada'"):
        call_command("role", "ada", "editor")


def test_settings_name_editors_and_admins_by_name_or_address(settings: Settings) -> None:
    settings.EDITOR_NAMES, settings.ADMIN_NAMES = ["ada", "grace@example.org"], ["linus"]
    people = {
        "ada": User.objects.create_user("ada"),
        "grace": User.objects.create_user("grace", "grace@example.org"),
        "linus": User.objects.create_user("linus"),
        "": User.objects.create_user("nobody"),
    }

    assert [role_of(user) for user in people.values()] == [Role.EDITOR, Role.EDITOR, Role.ADMIN, Role.READER]


def test_command_says_first_that_a_setting_gives_more(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    User.objects.create_user("ada")
    settings.ADMIN_NAMES = ["ada"]
    call_command("role", "ada", "reader")

    assert capsys.readouterr().out == "The settings EDITORS or ADMINS name ada, who stays an admin.\n"


@pytest.mark.parametrize("role", Role)
def test_person_has_the_rights_of_its_role(role: Role) -> None:
    person = Person("ada", role)

    assert person.may(EDIT_NAMES) == (role != Role.READER)
    assert person.may(Role.ADMIN) == (role == Role.ADMIN)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("127.0.0.1", "local editor"),
        ("::1", "local editor"),
        ("::ffff:127.0.0.1", "local editor"),
        ("192.0.2.7", ""),
        ("::ffff:192.0.2.7", ""),
        ("", ""),
    ],
)
def test_local_editor_comes_from_this_machine(address: str, name: str) -> None:
    request = RequestFactory().get("/me/", REMOTE_ADDR=address)
    request.user = AnonymousUser()
    person = person_of(request)

    assert (person.name if person else "") == name


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("path", PAGES)
def test_page_asks_a_reader_without_an_account_to_sign_in(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Accept": "text/html,*/*"})

    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in/?next=")


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("path", POSTS)
def test_form_of_a_reader_without_an_account_changes_nothing(client: Client, path: str) -> None:
    answer = client.post(path, {"name": "x", "opened": 0})

    assert (answer.status_code, 'href="/sign-in/?next=' in answer.text) == (403, True)
    assert "nothing was changed" in answer.text


@pytest.mark.usefixtures("with_passwords")
def test_fragment_leads_to_the_sign_in(client: Client) -> None:
    answer = client.get("/me/names/category/125/", headers={"HX-Request": "true"})

    assert answer["HX-Redirect"] == "/sign-in/?next=%2Fme%2Fnames%2Fcategory%2F125%2F"


@pytest.mark.usefixtures("with_passwords")
def test_rename_on_a_page_goes_on_after_the_sign_in(client: Client) -> None:
    """The sign-in led back to the page, where nothing was open."""
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/category/125/tags/"}
    answer = client.get("/me/names/category/125/", headers=headers)

    assert answer["HX-Redirect"] == "/sign-in/?next=%2Fme%2Fnames%2Fcategory%2F125%2F"


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("path", ["/", "/me/", "/me/names/", "/changes/"])
def test_every_page_leads_to_the_account(client: Client, path: str) -> None:
    client.force_login(User.objects.create_superuser("ada"))

    assert '<a href="/me/">Your account</a>' in client.get(path).text
    assert ">Sign out</button>" in client.get("/me/").text


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("path", FOR_EDITORS)
def test_page_of_editors_is_refused_to_readers_in_words(client: Client, path: str) -> None:
    client.force_login(User.objects.create_user("ada"))
    answer = client.get(path, headers={"Accept": "text/html"})

    assert answer.status_code == 403
    assert "You are signed in as ada, without the role editor." in answer.text


@pytest.mark.usefixtures("with_passwords")
def test_admin_is_refused_to_editors_in_words(client: Client) -> None:
    user = User.objects.create_user("ada")
    call_command("role", "ada", "editor")
    client.force_login(user)
    answer = client.get("/admin/", follow=True, headers={"Accept": "text/html"})

    assert answer.status_code == 403
    assert "without the role admin" in answer.text


@pytest.mark.parametrize("path", PAGES)
def test_page_is_refused_to_other_machines_in_local_mode(path: str) -> None:
    answer = Client(REMOTE_ADDR="192.0.2.7").get(path)

    assert answer.status_code == 403
    assert "set up for one person" in answer.text


@pytest.mark.parametrize("path", [*PAGES, "/sign-in/", "/sign-in/?next=/admin/", "/sign-in/MQ/x/", "/admin/"])
def test_not_even_a_session_of_an_admin_opens_a_page_to_other_machines_in_local_mode(path: str) -> None:
    other = Client(REMOTE_ADDR="192.0.2.7", headers={"Accept": "text/html"})
    admin = User.objects.create_superuser("ada", password=WORD)
    other.force_login(admin)
    form = {"username": "ada", "password": WORD}

    for answer in (other.get(path), other.post(path, form), Client(REMOTE_ADDR="192.0.2.7").post(path, form)):
        assert answer.status_code == 403
        assert "set up for one person" in answer.text


def test_nothing_of_sign_in_is_seen_in_local_mode(client: Client) -> None:
    reader = User.objects.create_user("eve", password=WORD)
    client.force_login(reader)

    assert client.get("/sign-in/?next=/changes/")["Location"] == "/changes/"
    assert client.post("/sign-in/", {"username": "eve", "password": WORD})["Location"] == "/"
    assert "<bdi>local editor</bdi>" in client.get("/me/").text
    assert client.get("/me/names/").status_code == 200
    assert "Your account" not in client.get("/").text
    assert links(client.get("/"))["Your pages"] == "/me/"
    for name in ("eve", "bob"):
        with pytest.raises(CommandError, match=f"{name} needs no account here"):
            call_command("invite", name, "--role", "editor")
    assert not User.objects.filter(username="bob").exists()
    assert not Change.objects.exists()


def test_admin_alone_signs_in_to_the_admin_in_local_mode(client: Client) -> None:
    for name, role in (("eve", "editor"), ("ada", "admin")):
        User.objects.create_user(name, password=WORD)
        call_command("role", name, role)
    refused, right = ({"username": name, "password": WORD, "next": "/admin/"} for name in ("eve", "ada"))

    assert client.get("/admin/", follow=True).redirect_chain[-1] == ("/sign-in/?next=%2Fadmin%2F", 302)
    assert "do not belong together" in client.post("/sign-in/", refused).text
    assert client.post("/sign-in/", right)["Location"] == "/admin/"
    assert client.get("/admin/auth/user/").status_code == 200
    assert "You are an admin" in client.get("/me/").text


def test_reading_is_for_this_machine_alone_in_local_mode(settings: Settings) -> None:
    settings.READ = "signed-in"
    here, there = Client(headers={"Accept": "text/html"}), Client(REMOTE_ADDR="192.0.2.7")
    there.force_login(User.objects.create_superuser("ada"))

    assert here.get("/help/").status_code == 200
    assert there.get("/help/").status_code == 403
