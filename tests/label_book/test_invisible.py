"""Characters of a name that nobody sees: they stay in it, and no search sees them."""

import importlib

import pytest
from django.apps import apps
from django.test import Client

from econweb.label_book.models import Label
from tests.dashboard.reading import links

pytestmark = pytest.mark.django_db
SHY, ZWNJ = "\u00ad", "\u200c"
BLANKS = "\u200b\u00ad\u2060\u3164\u2800\u115f\uffa0"


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        (f"Handels{SHY}bilanz", "Handelsbilanz"),
        ("Handelsbilanz", f"Handels{SHY}bilanz"),
        ("\ufeffHandels\u200bbilanz\u2060", "handelsbilanz"),
        (f"می{ZWNJ}خواهم", "میخواهم"),
        (f"می{ZWNJ}خواهم", f"می{ZWNJ}خواهم"),
    ],
)
def test_name_is_found_without_its_invisible_characters(client: Client, name: str, typed: str) -> None:
    client.post("/me/names/category/125/", {"name": name, "opened": 0})

    page = client.get("/browse/", {"q": typed}, follow=True)
    assert "/category/125/tags/" in links(page).values()
    assert name in page.text
    assert client.get("/go", {"q": typed})["Location"] == "/category/125/tags/"


def test_suggestion_marks_a_word_that_has_a_soft_hyphen(client: Client) -> None:
    Label(kind="category", number=13, name="Handelsbank").save()
    Label(kind="category", number=125, name=f"Handels{SHY}bilanz").save()

    assert f"<mark>Handels{SHY}b</mark>ilanz" in client.get("/suggest", {"q": "handelsb"}).text


def test_upgrade_finds_names_that_were_stored_with_invisible_characters(client: Client) -> None:
    Label(kind="category", number=125, name=f"Handels{SHY}bilanz").save()
    Label(kind="category", number=13, name="Trade").save()
    # As earlier versions stored it.
    Label.objects.filter(number=125).update(words=" handels bilanz", revision=1)
    before = Label.objects.get(number=13).revision
    upgrade = importlib.import_module("econweb.label_book.migrations.0006_names_folded_again")
    upgrade.fold_again(apps, None)

    assert client.get("/go", {"q": "Handelsbilanz"})["Location"] == "/category/125/tags/"
    assert Label.objects.get(number=125).revision != 1
    assert Label.objects.get(number=13).revision == before


@pytest.mark.parametrize("name", [*BLANKS, f"\u200b {SHY}"])
def test_name_of_which_nothing_is_seen_is_refused_as_an_empty_one(admin_client: Client, name: str) -> None:
    fields = {"name": name, "note": "", "opened": 0}
    doors = {
        "/me/names/category/125/": fields,
        "/admin/shelf/label/add/": fields | {"kind": "category", "number": "125"},
        "/me/names/": {"text": f"kind,id,name,note\ncategory,125,{name},\n"},
    }
    pages = [admin_client.post(path, fields).text for path, fields in doors.items()]

    assert ["This field is required." in page for page in pages] == [True] * 3
    assert not Label.objects.exists()
