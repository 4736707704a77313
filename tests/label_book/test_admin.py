"""The label book in the admin: permissions, changes and response headers."""

from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from econweb.accounts.models import Change
from econweb.label_book import lookup as labels
from econweb.label_book.editing import save_name
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import document

pytestmark = pytest.mark.django_db
ADD = "/admin/shelf/label/add/"
LABEL = {"kind": "category", "number": "125", "name": "Trade Balance", "note": "", "opened": "0"}


@pytest.fixture
def editor(admin_user: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    return client


def test_label_is_created_found_and_shown(editor: Client) -> None:
    token = editor.get(ADD).cookies[settings.CSRF_COOKIE_NAME].value
    answer = editor.post(ADD, LABEL | {"csrfmiddlewaretoken": token})

    assert answer.status_code == 302
    assert [label.number for label in labels.search("balance")] == [125]


def test_label_is_not_changed_without_csrf_token(editor: Client) -> None:
    answer = editor.post(ADD, LABEL)

    assert answer.status_code == 403
    assert not Label.objects.exists()


def test_label_is_not_changed_by_get_requests(editor: Client) -> None:
    save_labels([Label(kind="category", number=1, name="a")])
    key = Label.objects.get().pk
    before = list(Label.objects.values())
    for path in (f"{ADD}?{urlencode(LABEL)}", f"/admin/shelf/label/{key}/delete/?post=yes"):
        editor.get(path)
        editor.head(path)

    assert list(Label.objects.values()) == before


@pytest.mark.parametrize("path", ["/admin/", ADD, "/admin/shelf/label/"])
def test_admin_asks_for_sign_in(client: Client, path: str) -> None:
    assert client.get(path)["Location"].startswith("/admin/login/?next=/admin/")


@pytest.mark.parametrize(
    "path", ["/sign-in/", "/me/", "/changes/", "/me/names/", "/admin/shelf/label/", ADD, "/admin/nowhere/"]
)
def test_admin_responses_are_private_and_have_content_policy(editor: Client, path: str) -> None:
    answer = editor.get(path)

    assert "unsafe" not in answer["Content-Security-Policy"]
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))


def test_pages_outside_admin_have_no_session(editor: Client) -> None:
    answer = editor.get("/")

    assert not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")


@pytest.mark.usefixtures("with_passwords")
def test_public_pages_are_the_same_bytes_for_a_person_who_is_signed_in(client: Client, admin_user: User) -> None:
    """A37"""
    before = client.get("/browse/")
    client.get("/sign-in/")
    words = {"username": admin_user.username, "password": "password"}
    cookies = client.post("/sign-in/", words).cookies

    after = client.get("/browse/")

    assert set(cookies) == {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.BROWSER_COOKIE_NAME}
    assert (after.content, after["ETag"]) == (before.content, before["ETag"])
    assert not after.cookies


def test_label_form_takes_kind_and_number_from_link(editor: Client) -> None:
    page = editor.get(f"{ADD}?kind=release&number=53").text

    assert '<option value="release" selected>' in page
    assert 'name="number" value="53"' in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "1234567890"},
        {"name": "a\x1bb"},
        {"note": "a\u202eb"},
        {"name": "S\ufffdo"},
        {"name": "\ufdfa" * 200},
    ],
)
def test_invalid_label_is_an_error_in_the_form(editor: Client, wrong: dict[str, str]) -> None:
    """A26: the same bounds as for an import."""
    token = editor.get(ADD).cookies[settings.CSRF_COOKIE_NAME].value
    answer = editor.post(ADD, LABEL | wrong | {"csrfmiddlewaretoken": token})

    assert answer.status_code == 200
    assert "errorlist" in answer.text
    assert not Label.objects.exists()


def test_name_that_somebody_else_changed_is_not_replaced(admin_client: Client) -> None:
    save_labels([Label(kind="category", number=125, name="Old")])
    stored = Label.objects.get()
    path = f"/admin/shelf/label/{stored.pk}/change/"
    opened = document(admin_client.get(path)).xpath("string(//input[@name='opened']/@value)")
    save_name("bob", Label(kind="category", number=125, name="Of Bob"), stored.revision)
    late = admin_client.post(path, LABEL | {"opened": opened})

    assert opened == str(stored.revision)
    assert "Somebody else changed this name" in late.content.decode()
    assert Label.objects.get().name == "Of Bob"
    again = admin_client.post(path, LABEL | {"opened": Label.objects.get().revision})
    assert (again.status_code, Label.objects.get().name) == (302, "Trade Balance")
    assert [*Change.objects.order_by("id").values_list("verb", "person")] == [("changed", "bob"), ("changed", "admin")]


def test_stored_name_keeps_its_kind_and_number(admin_client: Client) -> None:
    save_labels([Label(kind="category", number=125, name="Old")])
    stored = Label.objects.get()
    edit = LABEL | {"kind": "release", "number": "9", "opened": stored.revision}

    assert admin_client.post(f"/admin/shelf/label/{stored.pk}/change/", edit).status_code == 302
    assert [*Label.objects.values_list("pk", "kind", "number")] == [(stored.pk, "category", 125)]
