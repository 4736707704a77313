"""The things of an account follow it to a new name, and no new account of the former name has them."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from econweb.accounts import tokens
from econweb.accounts.models import Change
from econweb.accounts.people import Person, Role
from econweb.library.models import ME, SavedView
from econweb.ownership import BY_NAME, WITH_ACCOUNT
from econweb.watching import subscriptions, watches
from econweb.watching.models import Watch
from tests.accounts.test_admin import WORD, form_of
from tests.dashboard.reading import document, words
from tests.library.builders import NOW, a_frozen_copy, a_saved_view

pytestmark = pytest.mark.django_db
LINK = "/series/GNPCA/"


@pytest.fixture
def ada() -> User:
    a_saved_view(person="ada", audience=ME).save()
    a_frozen_copy(person="ada", audience=ME).save()
    return User.objects.create_user("ada")


def test_admin_deletes_no_account_that_owns_something(admin_client: Client, ada: User) -> None:
    page = admin_client.get(f"/admin/auth/user/{ada.pk}/change/")
    deleted = admin_client.post(f"/admin/auth/user/{ada.pk}/delete/", {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": ada.pk, "post": "yes"}
    deleted_with_others = admin_client.post("/admin/auth/user/", chosen)

    assert (deleted.status_code, deleted_with_others.status_code) == (403, 403)
    assert User.objects.filter(username="ada").exists()
    text = " ".join(words(page, "//*[@id='content']"))
    assert "Saved views and frozen copies: 2" in text
    assert "clear Active" in text


def rename(client: Client, user: User, name: str) -> str:
    """Return the page with what is wrong; empty for none."""
    return client.post(f"/admin/auth/user/{user.pk}/change/", form_of(client, user, username=name)).text


def follow(name: str, link: str = LINK) -> None:
    watches.follow(Person(name, Role.READER), "series", link, [("series", "GNPCA")])


@pytest.mark.usefixtures("with_passwords")
def test_renamed_account_keeps_what_it_owns_follows_and_reads(admin_client: Client, ada: User) -> None:
    follow("ada")
    feed, token = subscriptions.renew_feed("ada"), tokens.renew_token("ada")
    a_saved_view(slug="removed", person="ada", removed=NOW).save()
    rename(admin_client, ada, "lovelace")
    lovelace, new = Client(), Client()
    lovelace.force_login(User.objects.get(username="lovelace"))
    new.force_login(User.objects.create_user("ada"))

    pages = ("/me/saved/", "/me/frozen/", "/me/watches/")
    assert ["Trade" in lovelace.get(pages[0]).text, "Trade" in lovelace.get(pages[1]).text] == [True, True]
    assert "GNPCA" in lovelace.get(pages[2]).text
    assert [name in new.get(page).text for page in pages for name in ("Trade", "GNPCA")] == [False] * 6
    found = subscriptions.subscription_of_token(feed)
    assert (found and found.person, tokens.person_of_token(token)) == ("lovelace", "lovelace")
    assert not SavedView.objects.filter(person="ada").exists()


@pytest.mark.usefixtures("with_passwords")
def test_renamed_account_takes_the_end_of_a_watch_back(admin_client: Client) -> None:
    bob = User.objects.create_user("bob")
    follow("bob")
    client = Client()
    client.force_login(bob)
    stopped = client.post("/me/watches/", {"stop": Watch.objects.get().pk})
    rename(admin_client, bob, "robert")
    page = client.get(stopped["Location"])

    assert words(page, "//*[@role='status']")[0].startswith("You no longer follow")
    undo = document(page).xpath("//*[@role='status']//input[@type='hidden']")
    client.post("/me/follow/", {field.get("name"): field.get("value") for field in undo})
    assert Watch.objects.get().person == "robert"


def test_every_table_of_a_person_follows_a_renamed_account() -> None:
    of_people = {model for model in apps.get_models() if "person" in {one.name for one in model._meta.get_fields()}}

    # The record of changes keeps the name of the time of the change.
    assert of_people - {Change} == {*WITH_ACCOUNT, *BY_NAME}


@pytest.mark.usefixtures("with_passwords")
def test_new_account_of_a_name_that_was_given_up_follows_what_it_likes(admin_client: Client) -> None:
    bob, gone = User.objects.create_user("bob"), User.objects.create_user("robert")
    follow("bob")
    subscriptions.renew_feed("robert")
    gone.delete()
    subscriptions.renew_feed("bob")
    assert rename(admin_client, bob, "robert") == ""
    User.objects.create_user("bob")

    assert not watches.watches_of("bob").exists()
    follow("bob")
    assert [watch.person for watch in Watch.objects.order_by("person")] == ["bob", "robert"]
    assert [subscriptions.subscription_of(name) is None for name in ("bob", "robert")] == [True, False]


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("left", ["view", "watch"])
def test_admin_gives_an_old_name_to_no_account(admin_client: Client, settings: Settings, left: str) -> None:
    linus = User.objects.create_user("linus")
    if left == "view":
        a_saved_view(person="ada", audience=ME).save()
    else:
        settings.SIGN_IN = "proxy"
        follow("ada")
        settings.SIGN_IN = "password"
    given = {"username": "ada", "password1": WORD, "password2": WORD, "usable_password": "true"}
    pages = [admin_client.post("/admin/auth/user/add/", given).text, rename(admin_client, linus, "ada")]

    assert ["An earlier person of the name ada left 1 saved views" in page for page in pages] == [True, True]
    assert "manage.py invite ada --same-person" in pages[0]
    assert not User.objects.filter(username="ada").exists()


def test_admin_changes_an_account_that_owns_something(admin_client: Client, ada: User) -> None:
    page = f"/admin/auth/user/{ada.pk}/change/"
    assert admin_client.post(page, form_of(admin_client, ada, email="ada@example.org")).status_code == 302
    ada.refresh_from_db()

    assert (ada.username, ada.email) == ("ada", "ada@example.org")


def test_admin_deletes_an_account_that_owns_nothing(admin_client: Client) -> None:
    linus = User.objects.create_user("linus")
    admin_client.post(f"/admin/auth/user/{linus.pk}/delete/", {"post": "yes"})

    assert not User.objects.filter(pk=linus.pk).exists()
