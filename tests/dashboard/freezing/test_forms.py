"""Text that a person entered is not lost: the service or the database fails, or somebody else was faster."""

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from econweb.dashboard import rights
from econweb.dashboard.freezing import views
from econweb.library import copies, freezing, saved_views
from econweb.library.models import EVERYONE, ME, FrozenCopy
from econweb.upstream import service
from econweb.upstream.errors import Unavailable
from tests.dashboard.frozen.copies import VIEW, freeze, view
from tests.dashboard.reading import Answer, alert, document
from tests.dashboard.saved.people import client_of, let_people_sign_in
from tests.fake_service import FakeService, tags_of
from tests.library.builders import a_frozen_copy, a_saved_view

__all__ = ["view"]
pytestmark = pytest.mark.django_db
ENTERED = {"title": "Typed <title>", "reason": "Typed reason", "note": "Typed note", "audience": EVERYONE, "days": "30"}


def fail(*_: object, **__: object) -> None:
    raise OperationalError("no such server")


def fields_of(page: Answer) -> dict[str, str]:
    """Return the fields of the form that sends everything again."""
    form = document(page).xpath("//form[@class='account-form']")[0]
    return {name: str(value) for name, value in form.fields.items() if name != "csrfmiddlewaretoken"}


def test_text_stays_while_the_service_fails(client: Client, view: str, stand_in: FakeService) -> None:
    stand_in.error = Unavailable("The data provider is not available at the moment.")
    answer = client.post("/me/freeze/", ENTERED, query_params={"target": view})
    stand_in.error = None
    service.upstream.cache_clear()
    cache.clear()

    assert answer.status_code == 503
    assert "Nothing was stored." in answer.text
    assert fields_of(answer) == ENTERED
    again = client.post("/me/freeze/", fields_of(answer), query_params={"target": view})
    assert (again.status_code, FrozenCopy.objects.get().title) == (302, "Typed <title>")


def test_person_with_all_copies_that_one_may_have_withdraws_an_old_private_one(settings: Settings, view: str) -> None:
    let_people_sign_in(settings)
    ada, target = client_of("ada"), {"target": view}
    copies_of_ada = [a_frozen_copy(audience=ME) for _ in range(200)]
    FrozenCopy.objects.bulk_create(copies_of_ada)
    first, form = f"/me/frozen/{copies_of_ada[0].pk}/", fields_of(ada.get("/me/freeze/", target))
    refused = ada.post("/me/freeze/", form, query_params=target)

    assert "Withdraw a private one" in alert(refused)
    assert "You can withdraw it within a day, and later as long as it is private." in refused.text
    ada.post(f"{first}withdraw/", {"reason": "Of no use any more"})
    assert ada.get(first).status_code == 410
    assert ada.post("/me/freeze/", form, query_params=target).status_code == 302


@pytest.mark.parametrize(
    ("place", "end"),
    [
        ((freezing, "record_changes"), f"freeze/?target={VIEW}"),
        ((copies, "record_changes"), "frozen/{}/edit/"),
        ((copies, "record_changes"), "frozen/{}/withdraw/"),
        ((rights, "person_of"), "frozen/{}/edit/"),
    ],
)
def test_text_stays_while_the_database_fails(
    client: Client, view: str, monkeypatch: pytest.MonkeyPatch, place: tuple[object, str], end: str
) -> None:
    freeze(client, view)
    copy = FrozenCopy.objects.get()
    monkeypatch.setattr(*place, fail)
    answer = client.post(f"/me/{end.format(copy.pk)}", ENTERED | {"seen": copy.changed.isoformat()})

    assert (answer.status_code, fields_of(answer)["reason"]) == (503, "Typed reason")


@pytest.mark.parametrize("address", ["/me/saved/trade/edit/", f"/me/save/?target={VIEW}"])
def test_text_of_a_saved_view_stays_while_the_database_fails(
    client: Client, view: str, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    saved = a_saved_view(person="local editor")
    saved.save()
    monkeypatch.setattr(saved_views, "record_changes", fail)
    answer = client.post(address, ENTERED | {"seen": saved.changed.isoformat(), "target": VIEW})

    assert (answer.status_code, fields_of(answer)["note"]) == (503, "Typed note")


def test_password_is_never_sent_back(client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.SIGN_IN = "password"
    monkeypatch.setattr("django.contrib.auth.forms.authenticate", fail)
    answer = client.post("/sign-in/", {"username": "ada", "password": "seven green trams"})

    assert answer.status_code == 503
    assert "trams" not in answer.text


def test_second_of_two_windows_reads_it_and_loses_nothing(client: Client, view: str) -> None:
    freeze(client, view)
    address = f"/me/frozen/{FrozenCopy.objects.get().pk}/edit/"
    seen = fields_of(client.get(address))["seen"]
    client.post(address, ENTERED | {"title": "Of Ada", "seen": seen})
    late = client.post(address, ENTERED | {"title": "Of Bob", "seen": seen})
    stored = FrozenCopy.objects.get().title
    again = client.post(address, fields_of(late))

    assert (late.status_code, stored) == (409, "Of Ada")
    assert "the title is now “Of Ada”" in alert(late)
    assert (again.status_code, FrozenCopy.objects.get().title) == (302, "Of Bob")


def test_rows_that_came_after_the_form_are_not_frozen_unseen(client: Client, view: str, stand_in: FakeService) -> None:
    opened = fields_of(client.get("/me/freeze/", {"target": view}))
    stand_in.has("category", 125, tags_of(61))
    service.upstream.cache_clear()
    cache.clear()
    untitled = client.post("/me/freeze/", opened | {"title": ""}, query_params={"target": view})
    late = client.post("/me/freeze/", fields_of(untitled) | {"title": "Typed"}, query_params={"target": view})

    assert (untitled.status_code, late.status_code, FrozenCopy.objects.count()) == (400, 409, 0)
    assert "The rows have changed since this form was opened." in alert(late)
    assert client.post("/me/freeze/", fields_of(late), query_params={"target": view}).status_code == 302
    assert (FrozenCopy.objects.get().title, FrozenCopy.objects.get().rows) == ("Typed", 61)


def test_editor_withdraws_no_copy_that_was_hidden_meanwhile(
    client: Client, view: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_people_sign_in(settings)
    freeze(client_of("ada"), view)
    copy, editor = FrozenCopy.objects.get(), client_of("eve")
    FrozenCopy.objects.update(audience=ME)
    with monkeypatch.context() as late:
        # As if it had been hidden after this look at it.
        late.setattr(views, "find_copy", lambda *_: copy)
        answer = editor.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": "Wrong"})

    assert not FrozenCopy.objects.get().withdrawn
    assert editor.get(answer["Location"]).status_code == 404


def test_late_change_of_a_hidden_or_withdrawn_copy_tells_nothing(client: Client, view: str, settings: Settings) -> None:
    freeze(client, view)
    FrozenCopy.objects.update(person="ada")
    copy = FrozenCopy.objects.get()
    let_people_sign_in(settings)
    address, form = f"/me/frozen/{copy.pk}/edit/", ENTERED | {"seen": copy.changed.isoformat()}
    owner, editor = client_of("ada"), client_of("eve")
    owner.post(address, form | {"title": "Secret", "audience": "me"})
    hidden = editor.post(address, form)
    owner.post(f"/me/frozen/{copy.pk}/withdraw/", {"reason": "Wrong"})

    assert hidden.status_code == 404
    assert "Secret" not in hidden.text
    assert owner.post(address, form).status_code == 410


def test_actions_are_offered_to_those_who_may_use_them(client: Client, view: str, settings: Settings) -> None:
    freeze(client, view)
    FrozenCopy.objects.update(person="ada")
    path = FrozenCopy.objects.get().pk
    let_people_sign_in(settings)
    found = {name: client_of(name).get(f"/me/frozen/{path}/").text for name in ("ada", "bob", "eve")}
    public = client_of("ada").get(f"/frozen/{path}/").text

    assert {name for name, page in found.items() if f"/{path}/edit" in page} == {"ada", "eve"}
    assert {name for name, page in found.items() if f"/{path}/withdraw" in page} == {"ada", "eve"}
    assert "withdraw" not in public.lower()
    assert "Manage this copy" in public


def test_service_with_a_long_address_is_stored(client: Client, view: str, settings: Settings) -> None:
    settings.ECON_BASE_URL = f"https://data.example.org/{'long/' * 100}"
    freeze(client, view)

    assert FrozenCopy.objects.get().service == settings.ECON_BASE_URL
