"""The form that saves, changes and removes a view."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library import saved_views
from econweb.library.models import SavedView
from econweb.library.saved_views import Entry
from econweb.redaction import register_secret
from tests.dashboard.reading import alert, document, links, words
from tests.dashboard.saved.people import client_of, let_people_sign_in
from tests.library.builders import ADA

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("category_125")]
TARGET = "/category/125/tags/"
KEY = "abcdefghijklmnopqrstuvwxyz012345"
FORM = {"target": TARGET, "title": "Trade balance", "note": "For table 2", "audience": "everyone"}


def save(client: Client, **fields: object) -> SavedView:
    answer = client.post("/me/save/", FORM | fields)
    assert answer.status_code == 302, alert(answer)
    return SavedView.objects.order_by("-created")[0]


def seen() -> str:
    return SavedView.objects.get().changed.isoformat()


def test_forms_say_the_longest_texts_and_what_is_optional(client: Client, category_125: None) -> None:
    save, freeze = (client.get(f"/me/{page}/?target=/category/125/tags/") for page in ("save", "freeze"))

    assert words(save, "//h1") == ["Save this view"]
    assert "Title (at most 200 characters)" in words(save, "//label/span")
    assert {"Title (at most 200 characters)", "Reason (optional, at most 500 characters)"} <= {
        *words(freeze, "//label/span")
    }
    filter_of_tags = document(client.get("/category/125/tags/")).xpath("//input[@name='search_text']")
    assert filter_of_tags[0].get("title") == "At most 200 characters"


def test_local_editor_saves_a_view_and_comes_to_its_page(client: Client) -> None:
    answer = client.post("/me/save/", FORM, follow=True)
    view, change = SavedView.objects.get(), Change.objects.get()

    assert answer.redirect_chain == [(f"/saved/{view.slug}/", 302)]
    assert words(answer, "//*[@class='saved-title']") == ["Trade balance"]
    assert (view.kind, view.target, view.person, view.note) == ("tags", TARGET, "local editor", "For table 2")
    assert (change.kind, change.key, change.verb, change.person) == ("saved view", view.slug, "saved", "local editor")
    assert (change.before, (change.after or {})["title"]) == (None, "Trade balance")


def test_stranger_signs_in_first(settings: Settings) -> None:
    let_people_sign_in(settings)
    answer = Client().get("/me/save/?target=/category/125/tags/%3Flimit%3D5")

    assert answer["Location"] == "/sign-in/?next=%2Fme%2Fsave%2F%3Ftarget%3D%2Fcategory%2F125%2Ftags%2F%253Flimit%253D5"
    assert Client().post("/me/save/", FORM).status_code == 403
    assert not SavedView.objects.exists()


def test_reader_saves_under_the_own_name(settings: Settings) -> None:
    let_people_sign_in(settings)

    assert save(client_of("bob"), audience="me").person == "bob"


@pytest.mark.parametrize(
    ("fields", "words_of_it"),
    [
        ({"title": ""}, "Title: enter"),
        ({"title": " \n "}, "Title: enter"),
        ({"title": "x" * 201}, "Title: at most 200"),
        ({"title": "a\0b"}, "Title: a character"),
        ({"note": "x" * 501}, "Note: at most 500"),
        ({"audience": "all"}, "Who may see it"),
        ({"audience": ""}, "Who may see it"),
        ({"note": f"see ?api_key={KEY}"}, "API key"),
        ({"title": f"api_key={KEY}"}, "API key"),
        ({"note": "the key is qwertzuiopasdfghjklyxcvbnm123456"}, "API key"),
        ({"note": "use /sign-in/MQ/cd1234-abcdef/"}, "invitation"),
    ],
)
def test_wrong_entry_is_refused_and_kept(client: Client, fields: dict[str, str], words_of_it: str) -> None:
    register_secret("qwertzuiopasdfghjklyxcvbnm123456")
    answer = client.post("/me/save/", FORM | fields)

    assert answer.status_code == 400
    assert words_of_it in alert(answer)
    assert 'value="Trade balance"' in answer.text or "title" in fields
    assert not SavedView.objects.exists()


@pytest.mark.parametrize("note", ["Is it true? Yes, see /series/?ids=A", "line\r\n" * 80, "x" * 500])
def test_ordinary_note_is_stored(client: Client, note: str) -> None:
    assert save(client, note=note).note == note.replace("\r\n", "\n").rstrip()


@pytest.mark.parametrize("title", ["語" * 200, "<script>alert(1)</script>", "?", "a" * 200])
def test_slug_is_ascii_words_and_random_letters(client: Client, title: str) -> None:
    slugs = {save(client, title=title).slug for _ in range(8)}

    assert len(slugs) == 8
    for slug in slugs:
        assert re.fullmatch(r"[a-z0-9-]{1,50}-[0-9a-hjkmnp-tv-z]{4}", slug)


@pytest.mark.parametrize("title", ["Außenhandel – Größe", "AUẞENHANDEL: GRÖẞE"])
def test_slug_folds_letters_as_the_label_book_does(client: Client, title: str) -> None:
    assert save(client, title=title).slug.startswith("aussenhandel-grosse-")


def test_view_is_removed_whatever_its_form_has(client: Client) -> None:
    view = save(client)
    spoilt = {"title": "", "note": "x" * 501, "seen": seen(), "remove": "1"}
    removed = client.post(f"/me/saved/{view.slug}/edit/", FORM | spoilt)

    assert removed["Location"] == f"/me/saved/?removed={view.slug}"


def test_slug_never_changes_and_is_never_used_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(["aaaa", "aaaa", "bbbb"])
    monkeypatch.setattr(saved_views, "new_id", lambda length: next(ends))
    first = save(client)
    path = f"/me/saved/{first.slug}/edit/"
    client.post(path, FORM | {"title": "Other", "seen": seen()})
    client.post(path, FORM | {"title": "Other", "seen": seen(), "remove": "1"})
    second = save(client)

    assert (first.slug, second.slug) == ("trade-balance-aaaa", "trade-balance-bbbb")
    assert client.get(f"/saved/{first.slug}/").status_code == 410


def test_change_is_stored_and_recorded(client: Client) -> None:
    view = save(client)
    answer = client.post(
        f"/me/saved/{view.slug}/edit/", FORM | {"title": "Other", "audience": "signed-in", "seen": seen()}
    )
    changes = Change.objects.order_by("id")

    assert answer["Location"] == f"/me/saved/{view.slug}/"
    assert [one.verb for one in changes] == ["saved", "changed"]
    assert changes[1].differences() == [("title", "Trade balance", "Other"), ("audience", "everyone", "signed-in")]


def test_entry_that_stays_the_same_is_not_recorded(client: Client) -> None:
    view = save(client)
    client.post(f"/me/saved/{view.slug}/edit/", FORM | {"seen": seen()})

    assert Change.objects.count() == 1
    assert SavedView.objects.get().changed == view.changed


def test_second_of_two_people_sees_it_and_loses_nothing(client: Client) -> None:
    view = save(client)
    path, first_seen = f"/me/saved/{view.slug}/edit/", seen()
    client.post(path, FORM | {"title": "Of Ada", "seen": first_seen})
    answer = client.post(path, FORM | {"title": "Of Bob", "note": "Bob's", "seen": first_seen})
    of_first = SavedView.objects.get().title
    latest = document(answer).xpath("string(//input[@name='seen']/@value)")
    again = client.post(path, FORM | {"title": "Of Bob", "seen": latest})

    assert (answer.status_code, of_first) == (409, "Of Ada")
    assert "“Of Ada”" in alert(answer)
    assert 'value="Of Bob"' in answer.text
    assert "Bob&#39;s</textarea>" in answer.text
    assert (again.status_code, SavedView.objects.get().title) == (302, "Of Bob")


@pytest.mark.parametrize("end", ["remove", "title"])
def test_change_of_a_removed_view_says_that_it_was_removed(client: Client, end: str) -> None:
    view = save(client)
    path, form = f"/me/saved/{view.slug}/edit/", FORM | {"seen": seen()}
    removed = client.post(path, form | {"remove": "1"})
    late = client.post(path, form | {end: "x"}, follow=True)

    assert removed["Location"] == f"/me/saved/?removed={view.slug}"
    assert late.status_code == 410
    assert [one.verb for one in Change.objects.order_by("id")] == ["saved", "removed"]


def test_editor_learns_nothing_of_a_view_that_was_hidden_meanwhile(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_people_sign_in(settings)
    view = save(client_of("ada"))
    path, first_seen = f"/me/saved/{view.slug}/edit/", seen()
    client_of("ada").post(path, FORM | {"title": "Secret", "audience": "me", "seen": first_seen})
    late = client_of("eve").post(path, FORM | {"title": "Mine", "seen": first_seen})
    # As if it had been hidden after this look at it.
    monkeypatch.setattr(saved_views, "find", lambda slug: view)
    later = client_of("eve").post(path, FORM | {"title": "Mine", "seen": first_seen})

    assert (late.status_code, later.status_code, later.get("Location")) == (404, 302, path)
    assert "Secret" not in late.text + later.text
    assert SavedView.objects.get().title == "Secret"


def test_editor_makes_no_view_of_others_private_and_may_remove_it(settings: Settings) -> None:
    let_people_sign_in(settings)
    view = save(client_of("ada"))
    path, form, editor = f"/me/saved/{view.slug}/edit/", FORM | {"audience": "me", "seen": seen()}, client_of("eve")
    answer = editor.post(path, form)

    assert (answer.status_code, SavedView.objects.get().audience) == (400, "everyone")
    assert "Only ada can keep this view private." in answer.text
    assert editor.post(path, form | {"remove": "1"})["Location"] == f"/me/saved/?removed={view.slug}"


def test_change_whose_transaction_fails_is_not_recorded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_views, "record_changes", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.post("/me/save/", FORM)

    assert not SavedView.objects.exists()


def test_person_has_a_bounded_number_of_views(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_views, "MAX_VIEWS", 2)
    saved_views.save(ADA, "tags", TARGET, Entry("Of Ada", "", "me", is_pinned=False))
    save(client)
    view = save(client)
    refused = client.post("/me/save/", FORM | {"title": "Third"})
    saved_views.remove(ADA, view.slug, view.changed)

    assert refused.status_code == 409
    assert "You have 500 saved views." in alert(refused)
    assert 'value="Third"' in refused.text
    assert save(client)


def test_form_works_without_javascript_and_from_the_keyboard(client: Client) -> None:
    page = client.get(f"/me/save/?target={TARGET}")
    form = document(page).xpath("//main//form")[0]

    assert (form.get("method"), form.get("action")) == ("post", None)
    assert [field.get("name") for field in form.xpath(".//label//*[@name]")] == [
        "title",
        "note",
        "audience",
        "is_pinned",
    ]
    assert links(page)["Cancel"] == TARGET
