"""A name that is edited on the page of its category or release."""

import pytest
from django.test import Client

from econweb.accounts.models import Change
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from tests.dashboard.reading import alert, document, links, words

pytestmark = pytest.mark.django_db
PATH = "/me/names/category/125/"
HTMX = {"HX-Request": "true", "HX-Target": "main"}


def opened() -> int:
    label = Label.objects.filter(number=125).first()
    return label.revision if label else 0


def save(client: Client, **fields: object) -> int:
    data = {"name": "Trade Balance", "opened": opened()}
    return client.post(PATH, data | fields).status_code


def test_part_of_a_category_that_was_deleted_can_be_renamed(client: Client) -> None:
    Label(kind="category", number=2, name="Old", parent=1).save()
    fields = {"name": "New", "parent": 1, "opened": Label.objects.get().revision}
    renamed = client.post("/me/names/category/2/", fields)
    moved = client.post("/me/names/category/2/", fields | {"parent": 3, "opened": Label.objects.get().revision})

    assert (renamed.status_code, moved.status_code) == (200, 400)
    assert (Label.objects.get().name, Label.objects.get().parent) == ("New", 1)


def test_name_is_stored_shown_and_recorded(client: Client) -> None:
    answer = client.post(PATH, {"name": "Trade Balance", "note": "Why", "opened": 0, "reason": "asked by Ada"})
    change = Change.objects.get()

    assert "Saved: <bdi>Trade Balance</bdi>" in answer.text
    assert links(answer)["Open category 125"] == "/category/125/tags/"
    assert labels.get_label("category", 125) == Label.objects.get(name="Trade Balance", note="Why", is_edited=True)
    assert (change.person, change.verb, change.key) == ("local editor", "added", "category 125")
    assert (change.before, change.after) == (None, {"name": "Trade Balance", "note": "Why", "parent": None})
    assert change.reason == "asked by Ada"
    assert change.request_id


def test_form_shows_what_is_stored(client: Client) -> None:
    save_labels(
        [Label(kind="category", number=13, name="Trade"), Label(kind="category", number=125, name="Old", parent=13)]
    )
    fields = document(client.get(PATH)).xpath("//main//label/*[@name]")

    assert [(field.get("name"), field.get("value", field.text)) for field in fields] == [
        ("name", "Old"),
        ("note", None),
        ("parent", "13"),
        ("reason", ""),
    ]


def test_form_says_whose_name_changes_and_names_the_parent(client: Client) -> None:
    save_labels(
        [Label(kind="category", number=13, name="Trade"), Label(kind="category", number=125, name="Old", parent=13)]
    )
    page = client.get(PATH)

    assert words(page, "//h1") == ["Change the name of category 125"]
    assert links(page)["Old · Category 125"] == "/category/125/tags/"
    assert words(page, "//label/span")[2] == "Part of category (number): now Trade · Category 13"
    assert words(client.get("/me/names/release/53/"), "//h1") == ["Add a name to release 53"]


def test_form_names_the_root_as_parent(client: Client) -> None:
    save_labels(
        [Label(kind="category", number=0, name="All"), Label(kind="category", number=125, name="Old", parent=0)]
    )

    assert words(client.get(PATH), "//label/span")[2] == "Part of category (number): now All · Category 0"


def test_note_of_several_lines_keeps_them_when_the_name_changes(client: Client) -> None:
    """A field of one line joined them. A browser sends CRLF."""
    save_labels([Label(kind="category", number=125, name="Old", note="one\ntwo")])
    (note,) = document(client.get(PATH)).xpath("//main//textarea[@name='note']/text()")
    answer = client.post(PATH, {"name": "New", "note": note.replace("\n", "\r\n"), "opened": opened()})

    assert answer.status_code == 200
    assert Label.objects.get().note == "one\ntwo"
    assert [name for name, *_ in Change.objects.get().differences()] == ["name"]


def test_saved_page_has_the_new_name_above(client: Client) -> None:
    save_labels([Label(kind="category", number=125, name="Old")])
    labels.get_label("category", 125)
    saved = client.post(PATH, {"name": "New", "opened": opened()})

    assert words(client.get(PATH), "//*[@id='label-name']")
    assert words(saved, "//*[@class='kicker']") == ["New · Category 125"]


def test_name_that_stays_the_same_is_not_recorded(client: Client) -> None:
    save(client)
    before = opened()
    save(client)

    assert opened() == before
    assert Change.objects.count() == 1


def test_second_of_two_editors_sees_it_and_loses_nothing(client: Client) -> None:
    first_seen = opened()
    save(client, name="Balance of Ada")
    answer = client.post(PATH, {"name": "Balance of Bob", "opened": first_seen})
    again = client.post(PATH, {"name": "Balance of Bob", "opened": opened()})

    assert answer.status_code == 409
    assert "Balance of Ada" in answer.text
    assert 'value="Balance of Bob"' in answer.text
    assert f'name="opened" value="{opened()}"' not in answer.text
    assert again.status_code == 200
    assert Label.objects.get().name == "Balance of Bob"


def test_name_that_was_deleted_meanwhile_is_a_conflict(client: Client) -> None:
    save(client)
    seen = opened()
    Label.objects.all().delete()

    assert save(client, opened=seen) == 409
    assert save(client, opened=0) == 200


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"name": "a\x1bb"}, {"name": "x" * 201}, {"parent": "99"}, {"parent": "125"}, {"opened": "-1"}],
)
def test_wrong_value_is_an_error_in_the_form(client: Client, wrong: dict[str, str]) -> None:
    assert save(client, **wrong) == 400
    assert not Label.objects.exists()
    assert not Change.objects.exists()


def test_form_is_a_fragment_for_htmx_and_leads_back_to_the_page(client: Client) -> None:
    fragment = client.get(PATH, headers=HTMX)
    answer = client.post(PATH, {"name": "Trade Balance", "opened": 0}, headers=HTMX)

    assert fragment.text.lstrip().startswith("<form")
    assert answer.text.lstrip().startswith('<bdi id="label-name" hx-swap-oob="true">Trade Balance</bdi>')


def test_form_of_another_site_changes_nothing() -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.post(PATH, {"name": "Trade Balance", "opened": 0}).status_code == 403
    assert not Label.objects.exists()


@pytest.mark.parametrize("path", ["/me/names/source/1/", "/me/names/category/9999999999/"])
def test_other_paths_are_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_conflict_names_each_field_that_would_be_replaced(client: Client) -> None:
    trade, other = (Label(kind="category", number=number, name="Trade") for number in (13, 32992))
    save_labels([trade, other, Label(kind="category", number=125, name="Balance", note="Old")])
    seen = opened()
    fields = {"name": "Balance", "note": "Old", "opened": seen}
    client.post(PATH, fields | {"parent": 13})
    moved = client.post(PATH, fields | {"parent": 32992})
    noted = client.post(PATH, fields | {"name": "Saldo", "note": "", "parent": 13})
    client.post(PATH, fields | {"note": "", "parent": "", "opened": opened()})
    emptied = client.post(PATH, fields | {"parent": 13})
    same = client.post(PATH, fields | {"note": ""})

    assert (moved.status_code, same.status_code) == (409, 409)
    assert alert(moved).startswith("Somebody else was faster. Stored is now: part of category “13”. Nothing of yours")
    assert "Stored is now: name “Balance”, note “Old”. Nothing" in alert(noted)
    assert "Stored is now: note (empty), part of category (empty). Nothing" in alert(emptied)
    assert "Stored is now the same as yours." in alert(same)
