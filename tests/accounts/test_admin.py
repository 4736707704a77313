"""Accounts that the admin changes are recorded."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.test import Client

from econweb.accounts.admin import AccountAdmin
from econweb.accounts.models import Change
from econweb.label_book.models import Label
from tests.dashboard.reading import document

pytestmark = pytest.mark.django_db
WORD = "a long enough word"


def form_of(client: Client, user: User, **changed: object) -> dict[str, object]:
    """Open the form of an account, and return it with some changes."""
    page = document(client.get(f"/admin/auth/user/{user.pk}/change/"))
    return {
        "seen": page.xpath("string(//*[@name='seen']/@value)"),
        "username": user.username,
        "email": user.email,
        "is_active": "on",
    } | changed


def the_change() -> tuple[str, str, str, list[tuple[str, object, object]]]:
    change = Change.objects.get()
    return change.person, change.verb, change.key, change.differences()


def test_admin_adds_an_account(admin_client: Client) -> None:
    form = {"username": "ada", "password1": WORD, "password2": WORD, "usable_password": "true"}
    admin_client.post("/admin/auth/user/add/", form)

    person, verb, key, found = the_change()
    assert (person, verb, key) == ("admin", "added", "ada")
    assert ("role", None, "reader") in found
    assert WORD not in str(Change.objects.get().after_json)


def test_admin_changes_an_account(admin_client: Client) -> None:
    ada, editors = User.objects.create_user("ada"), Group.objects.create(name="editors")
    page = f"/admin/auth/user/{ada.pk}/change/"
    admin_client.post(page, form_of(admin_client, ada, email="ada@example.org", groups=[editors.pk]))

    found = [("role", "reader", "editor"), ("mail", None, "ada@example.org"), ("groups", None, "editors")]
    assert the_change() == ("admin", "changed", "ada", found)


@pytest.fixture
def right() -> Permission:
    # Another test may have emptied the table.
    kind = ContentType.objects.get_for_model(Label)
    return Permission.objects.get_or_create(content_type=kind, codename="change_label")[0]


EDITS = [
    ({"is_staff": "on"}, ("staff", False, True)),
    ({"is_superuser": "on"}, ("superuser", False, True)),
    ({"first_name": "Ada"}, ("first name", None, "Ada")),
    ({"last_name": "Lovelace"}, ("last name", None, "Lovelace")),
]


@pytest.mark.parametrize(("edit", "difference"), EDITS)
def test_every_field_that_the_admin_changes_is_recorded(
    admin_client: Client, edit: dict[str, str], difference: tuple[str, object, object]
) -> None:
    ada = User.objects.create_user("ada")
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form_of(admin_client, ada, **edit))

    assert difference in the_change()[3]


def test_permission_that_the_admin_gives_is_recorded(admin_client: Client, right: Permission) -> None:
    ada = User.objects.create_user("ada")
    form = form_of(admin_client, ada, user_permissions=[right.pk])
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form)

    assert the_change()[3] == [("permissions", None, "shelf.change_label")]


def test_account_has_no_field_in_the_admin_without_a_record(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    page = document(admin_client.get(f"/admin/auth/user/{ada.pk}/change/"))
    form = page.xpath("//form[@id='user_form']")[0]
    names = {*form.xpath(".//*[self::input or self::select or self::textarea][not(@type='submit')]/@name")}

    recorded = {"username", "email", "is_active", "groups", "first_name", "last_name", "is_staff", "is_superuser"}
    assert names - {"csrfmiddlewaretoken", "seen"} == recorded | {"user_permissions"}


@pytest.mark.parametrize("field", ["last_name", "user_permissions"])
def test_form_of_an_account_that_another_admin_has_changed_since_is_refused(
    admin_client: Client, right: Permission, field: str
) -> None:
    ada = User.objects.create_user("ada")
    late = form_of(admin_client, ada, email="ada@example.org")
    page = f"/admin/auth/user/{ada.pk}/change/"
    of_other = "Lovelace" if field == "last_name" else [right.pk]
    admin_client.post(page, form_of(admin_client, ada, **{field: of_other}))

    assert "Somebody else changed this account since the form was opened." in admin_client.post(page, late).text
    ada.refresh_from_db()
    assert (ada.email, ada.last_name or [*ada.user_permissions.values_list("pk", flat=True)]) == ("", of_other)


def test_password_that_its_person_chooses_meanwhile_outlives_a_form_of_the_admin(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, get_object = User.objects.create_user("ada"), AccountAdmin.get_object
    form = form_of(admin_client, ada, email="ada@example.org")

    def get_and_choose(*given: Any) -> User | None:
        found = get_object(*given)
        User.objects.filter(pk=ada.pk).update(password="another")
        return found

    monkeypatch.setattr(AccountAdmin, "get_object", get_and_choose)
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form)

    ada.refresh_from_db()
    assert (ada.email, ada.password) == ("ada@example.org", "another")


def test_change_of_nothing_is_not_recorded(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form_of(admin_client, ada))

    assert not Change.objects.exists()


def test_admin_ends_and_deletes_accounts(admin_client: Client) -> None:
    ada, grace, linus = (User.objects.create_user(name) for name in ("ada", "grace", "linus"))
    form = form_of(admin_client, ada)
    del form["is_active"]
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form)
    admin_client.post(f"/admin/auth/user/{grace.pk}/delete/", {"post": "yes"})
    admin_client.post("/admin/auth/user/", {"action": "delete_selected", "_selected_action": linus.pk, "post": "yes"})

    found = [(change.key, change.verb) for change in Change.objects.order_by("id")]
    assert found == [("ada", "changed"), ("grace", "deleted"), ("linus", "deleted")]
    assert [user.username for user in User.objects.order_by("username")] == ["ada", "admin"]


@pytest.mark.parametrize("account", ["abc", "0", "9" * 30])
def test_password_page_of_no_account_leads_back(admin_client: Client, account: str) -> None:
    assert admin_client.get(f"/admin/auth/user/{account}/password/").status_code in {302, 404}


def test_password_that_the_admin_sets_is_recorded_without_it(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    form = {"password1": WORD, "password2": WORD, "usable_password": "true"}
    admin_client.post(f"/admin/auth/user/{ada.pk}/password/", form)

    change = Change.objects.get()
    assert (change.key, change.verb) == ("ada", "changed")
    assert WORD not in f"{change.before_json}{change.after_json}"
    assert User.objects.get(pk=ada.pk).check_password(WORD)


ENDED = "This account has ended, so no password can be set. Make it active first."


def test_ended_account_gets_no_password_from_the_admin(admin_client: Client) -> None:
    ada = User.objects.create_user("ada", password="old")
    call_command("sign_out", "ada", "--left", stdout=StringIO())
    page, form = f"/admin/auth/user/{ada.pk}/password/", {"password1": WORD, "password2": WORD}
    refused = admin_client.post(page, form | {"usable_password": "true"})

    assert ENDED in refused.text
    assert not User.objects.get(pk=ada.pk).has_usable_password()
    assert not Change.objects.filter(person="admin").exists()
    call_command("role", "ada", "reader", "--returned", stdout=StringIO())
    assert admin_client.post(page, form).status_code == 302
    assert User.objects.get(pk=ada.pk).check_password(WORD)


def test_password_of_an_account_that_an_earlier_version_ended_can_be_taken_away(admin_client: Client) -> None:
    ada = User.objects.create_user("ada", password="old", is_active=False)
    form = {"usable_password": "false", "unset-password": "yes"}

    assert admin_client.post(f"/admin/auth/user/{ada.pk}/password/", form).status_code == 302
    assert not User.objects.get(pk=ada.pk).has_usable_password()


@pytest.mark.parametrize(
    ("given", "verbs"),
    [
        ({"usable_password": "false", "unset-password": "yes"}, ["changed"]),
        ({"password1": WORD, "password2": "another", "usable_password": "true"}, []),
        (None, []),
    ],
    ids=["taken away", "mistyped", "only looked at"],
)
def test_password_is_recorded_as_changed_only_if_it_was(
    admin_client: Client, given: dict[str, str] | None, verbs: list[str]
) -> None:
    ada = User.objects.create_user("ada", password=WORD)
    page = f"/admin/auth/user/{ada.pk}/password/"
    admin_client.post(page, given) if given else admin_client.get(page)

    assert list(Change.objects.values_list("verb", flat=True)) == verbs
    assert User.objects.get(pk=ada.pk).check_password(WORD) != bool(verbs)


@pytest.mark.parametrize("command", [("sign_out", "ada", "--left"), ("role", "ada", "reader")])
def test_form_of_an_account_that_a_command_has_changed_since_is_refused(
    admin_client: Client, command: tuple[str, ...]
) -> None:
    ada = User.objects.create_superuser("ada")
    form = form_of(admin_client, ada, email="ada@example.org", is_staff="on", is_superuser="on")
    call_command(*command, stdout=StringIO())
    told = User.objects.filter(username="ada").values()[0]
    page = f"/admin/auth/user/{ada.pk}/change/"
    refused = admin_client.post(page, form)

    assert "Somebody else changed this account since the form was opened." in refused.text
    assert User.objects.filter(username="ada").values()[0] == told
    form["seen"] = form_of(admin_client, ada)["seen"]
    assert admin_client.post(page, form)["Location"] == "/admin/auth/user/"


def test_failed_change_is_not_recorded(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = User.objects.create_user("ada")
    monkeypatch.setattr("econweb.accounts.admin.AccountAdmin.log_change", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form_of(admin_client, ada, email="ada@example.org"))

    assert not Change.objects.exists()
    assert not User.objects.get(pk=ada.pk).email


def test_admin_has_no_second_page_to_sign_in_or_out(admin_client: Client) -> None:
    assert admin_client.get("/admin/login/")["Location"] == "/sign-in/"
    assert admin_client.post("/admin/logout/")["Location"] == "/me/"
    assert "Log out" not in admin_client.get("/admin/").content.decode()
