"""A form that is sent after the session has ended: nothing is stored, the page says so, and keeps the text."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from econweb.accounts.models import Session
from econweb.label_book.models import Label
from econweb.library.models import SavedView
from tests.accounts.signed_in import PASSWORD
from tests.dashboard.reading import document, words
from tests.library.builders import TARGET, a_saved_view

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
OWN = {"Origin": "http://testserver"}


@pytest.fixture
def browser() -> Client:
    """Return a browser with a token for forms, whose session has ended."""
    User.objects.create_superuser("ada", password=PASSWORD)
    client = Client(enforce_csrf_checks=True)
    sign_in(client)
    client.get("/me/names/")
    Session.objects.all().delete()
    return client


def token(client: Client, path: str = "/sign-in/") -> str:
    fields = document(client.get(path)).xpath("//input[@name='csrfmiddlewaretoken']/@value")
    return str(fields[0])


def sign_in(client: Client) -> None:
    given = {"username": "ada", "password": PASSWORD, "csrfmiddlewaretoken": token(client)}
    assert client.post("/sign-in/", given).status_code == 302


@pytest.mark.parametrize(
    ("path", "entered"),
    [
        ("/me/freeze/", {"target": TARGET, "title": "Trade tags", "reason": "For table 2", "audience": "me"}),
        ("/me/save/", {"target": TARGET, "title": "Trade tags", "note": "For table 2", "audience": "me"}),
        ("/me/saved/trade/edit/", {"title": "Trade tags", "note": "For table 2", "audience": "me", "seen": "x"}),
        ("/me/names/category/125/", {"name": "Trade", "note": "For table 2", "opened": "0"}),
        ("/me/names/", {"text": "kind,id,name,note,parent_id\ncategory,125,Trade,For table 2,\n"}),
    ],
)
def test_form_after_the_session_is_kept_and_not_stored(browser: Client, path: str, entered: dict[str, str]) -> None:
    a_saved_view(person="ada", audience="me").save()
    answer = browser.post(path, {**entered, "csrfmiddlewaretoken": token(browser)})

    assert answer.status_code == 403
    assert "Your session has ended" in words(answer, "//h1")[0]
    assert "The form was not sent, and nothing was changed." in answer.text
    assert "For table 2" in answer.text
    assert "again later" not in answer.text
    assert document(answer).xpath("//form[@class='account-form']/@action") == [path]
    assert [link for link in document(answer).xpath("//main//a/@href") if link.startswith("/sign-in/?next=")]
    assert (Label.objects.count(), SavedView.objects.get().title) == (0, "Trade")


def test_text_is_stored_after_the_next_sign_in(browser: Client) -> None:
    entered = {"target": TARGET, "title": "Trade tags", "note": "For table 2", "audience": "me"}
    stale = token(browser)
    browser.post("/me/save/", {**entered, "csrfmiddlewaretoken": stale})
    sign_in(browser)
    again = browser.post("/me/save/", {**entered, "csrfmiddlewaretoken": stale}, headers=OWN)
    fresh = document(again).xpath("//form[@class='account-form']//input[@name='csrfmiddlewaretoken']/@value")[0]

    assert (again.status_code, "For table 2" in again.text) == (403, True)
    assert words(again, "//h1 | //main//p") == [
        "Send the form again",
        "It was opened before you signed in, or has expired.",
        "Nothing was stored. What you entered is here.",
    ]
    assert browser.post("/me/save/", {**entered, "csrfmiddlewaretoken": fresh}, headers=OWN).status_code == 302
    assert SavedView.objects.get().note == "For table 2"


@pytest.mark.parametrize("origin", [{}, {"Origin": "null"}, {"Origin": "https://evil.example"}])
def test_form_of_another_site_chooses_no_text(browser: Client, origin: dict[str, str]) -> None:
    sign_in(browser)
    entered = {"target": TARGET, "title": "Trade tags", "note": "For table 2", "audience": "everyone"}
    answer = browser.post("/me/save/", entered, headers=origin)

    assert (answer.status_code, "For table 2" in answer.text) == (403, False)


def test_name_that_is_edited_in_its_place_is_kept(browser: Client) -> None:
    entered = {"name": "Trade", "note": "For table 2", "opened": "0", "csrfmiddlewaretoken": token(browser)}
    page = "http://testserver/category/125/tags/"
    headers = {"HX-Request": "true", "HX-Current-URL": page, "HX-Target": "name-form"}
    answer = browser.post("/me/names/category/125/", entered, headers=headers)

    assert (answer.status_code, "HX-Redirect" in answer) == (403, False)
    assert 'action="/me/names/category/125/"' in answer.text
    assert "For table 2" in answer.text


def test_button_without_text_says_that_nothing_happened(browser: Client) -> None:
    answer = browser.post("/me/watches/", {"stop": "1", "csrfmiddlewaretoken": token(browser)})

    assert answer.status_code == 403
    assert "Sign in, then send it again." in answer.text
    assert "Send again" not in answer.text
