"""A view that was removed comes back as it was, if somebody who may edit it chooses Undo."""

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library import saved_views
from econweb.library.models import SavedView
from tests.dashboard.reading import alert, document, words
from tests.dashboard.saved.people import AUDIENCES, EDIT, PEOPLE, client_of, let_people_sign_in, save_for_each_audience
from tests.library.builders import NOW, a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
FORM = {"title": "Trade balance", "note": "For table 2", "audience": "everyone"}
PATH = "/me/saved/trade-balance-0abc/edit/"


def remove(client: Client) -> SavedView:
    """Store a view, remove it with its form, and return it as it was before."""
    a_saved_view(slug="trade-balance-0abc", person="local editor", **FORM).save()
    view = SavedView.objects.get()
    client.post(PATH, FORM | {"seen": view.changed.isoformat(), "remove": "1"})
    return view


def seen() -> str:
    return SavedView.objects.get().changed.isoformat()


def test_removed_view_is_named_and_comes_back_as_it_was(client: Client) -> None:
    before = remove(client)
    page = client.get(f"/me/saved/?removed={before.slug}")
    form = document(page).xpath("//form[.//button[normalize-space()='Undo']]")[0]
    undone = client.post(form.get("action"), {"restore": "1", "seen": form.xpath("string(.//*[@name='seen']/@value)")})
    after = SavedView.objects.get()

    assert "“Trade balance” was removed." in " ".join(words(page, "//*[@role='status']"))
    assert words(page, "//h2") == ["No saved view"]
    assert undone["Location"] == f"/saved/{before.slug}/"
    kept = ("title", "note", "audience", "is_pinned", "target", "person", "created", "removed")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]
    assert client.get(f"/saved/{before.slug}/").status_code == 200
    assert [one.verb for one in Change.objects.order_by("id")] == ["removed", "restored"]
    assert "was removed" not in client.get(f"/me/saved/?removed={before.slug}").text


def test_second_undo_leads_to_the_view(client: Client) -> None:
    remove(client)
    form = {"restore": "1", "seen": seen()}
    client.post(PATH, form)
    again = client.post(PATH, form)

    assert again["Location"] == PATH
    assert Change.objects.count() == 2


def test_undo_beyond_the_bound_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    remove(client)
    monkeypatch.setattr(saved_views, "MAX_VIEWS", 0)
    refused = client.post(PATH, {"restore": "1", "seen": seen()})

    assert refused.status_code == 409
    assert "You have 500 saved views." in alert(refused)
    assert SavedView.objects.get().removed


def test_undo_beyond_the_bound_of_somebody_else_names_the_person(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_people_sign_in(settings)
    a_saved_view(slug="trade-balance-0abc", person="ada", removed=NOW, **FORM).save()
    monkeypatch.setattr(saved_views, "MAX_VIEWS", 0)
    refused = client_of("eve").post(PATH, {"restore": "1", "seen": seen()})

    assert refused.status_code == 409
    assert "ada has 500 saved views. One of them must be removed first." in alert(refused)


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_undo_is_for_those_who_may_edit(settings: Settings, name: str, audience: str) -> None:
    let_people_sign_in(settings)
    save_for_each_audience()
    slug, owner = f"for-{audience}", client_of("ada")
    view = SavedView.objects.get(slug=slug)
    form = FORM | {"audience": audience, "seen": view.changed.isoformat()}
    owner.post(f"/me/saved/{slug}/edit/", form | {"remove": "1"})
    client, view = client_of(name), SavedView.objects.get(slug=slug)
    page = client.get(f"/me/saved/?removed={slug}")
    client.post(f"/me/saved/{slug}/edit/", {"restore": "1", "seen": view.changed.isoformat()})

    may = name in EDIT[audience]
    assert ("Undo" in page.text, f"Title for {audience}" in page.text) == (may, may)
    assert (SavedView.objects.get(slug=slug).removed is None) is may
