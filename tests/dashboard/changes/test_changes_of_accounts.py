"""Changes of accounts, with their addresses and roles, are seen by administrators alone."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from econweb.accounts.changes import Edit, record_changes
from econweb.accounts.people import EDITORS_GROUP
from econweb.watching import subscriptions
from tests.accounts.test_admin import form_of
from tests.dashboard.reading import words

pytestmark = pytest.mark.django_db
DOORS = ["/changes/", "/changes/?q=ada", "/changes/?kind=account", "/changes/record.csv", "/changes/record.json",
         "/changes/record.xml", "/changes/record.csv?kind=role", "/changes/record.md"]  # fmt: skip


@pytest.fixture(autouse=True)
def changes(admin_client: Client) -> None:
    record_changes("grace", "added", [Edit("name", "category 125", "Trade", None, {"name": "Trade"})])
    ada = User.objects.create_user("ada")
    admin_client.post(f"/admin/auth/user/{ada.pk}/change/", form_of(admin_client, ada, email="ada@example.org"))
    call_command("role", "ada", "editor", stdout=StringIO())
    subscriptions.renew_feed("ada")
    call_command("sign_out", "ada", stdout=StringIO())
    record_changes("root", "connected", [Edit("identity", "ada", "ada", None, {"subject": "1001"})])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("way", ["local", "password"])
def test_editor_sees_no_change_of_an_account(settings: Settings, door: str, way: str) -> None:
    settings.SIGN_IN = way
    editor = Client()
    if way == "password":
        call_command("role", "ada", "reader", stdout=StringIO())
        grace = User.objects.create_user("grace")
        call_command("role", "grace", "editor", stdout=StringIO())
        assert grace.groups.get().name == EDITORS_GROUP
        editor.force_login(grace)
    answer = editor.get(door)
    text = answer.getvalue().decode()

    assert answer.status_code == 200
    assert [word in text for word in ("example.org", "1001", "reader", ">ada<", ",ada,")] == [False] * 5
    if door == "/changes/":
        assert words(answer, "//select[@name='kind']/option") == ["All", "Name"]
        assert words(answer, "//main//caption") == ["1 change"]


def test_administrator_sees_the_changes_of_accounts(settings: Settings, admin_client: Client) -> None:
    settings.SIGN_IN = "password"
    page, file = admin_client.get("/changes/"), admin_client.get("/changes/record.csv").getvalue().decode()

    assert words(page, "//select[@name='kind']/option") == ["All", "Account", "Identity", "Name", "Role", "Sessions"]
    assert "ada@example.org" in page.text
    assert "ada@example.org" in file
