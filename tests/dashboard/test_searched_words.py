"""The searches of saved views, frozen copies and changes fold words as the label book does."""

import pytest
from django.test import Client

from econweb.accounts.models import Change
from tests.dashboard.reading import words
from tests.library.builders import NOW, a_frozen_copy, a_saved_view

pytestmark = pytest.mark.django_db
PAGES = ["/saved/", "/frozen/", "/changes/"]


def find(client: Client, title: str, typed: str) -> list[bool]:
    """Return whether each page finds a row of the title."""
    a_saved_view(title=title).save()
    a_frozen_copy(title=title).save()
    Change(moment=NOW, person="ada", verb="saved", kind="saved view", key="x", title=title).save()
    return [bool(words(client.get(path, {"q": typed}), "//main//tbody//th")) for path in PAGES]


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Außenhandel … Größe", "aussenhandel"),
        ("Außenhandel … Größe", "grosse AUẞEN"),
        ("Außenhandel … Größe", "GRÖSSE"),
        ("AUSSENHANDEL … GROSSE", "größe außen"),
        ("Müller/Groß", "muller"),
        ("Müller/Groß", "Mu\u0308ller/gros"),
        ("U\u0308berschuß", "Überschuss"),
        ("Handels\u00adbilanz", "Handelsbilanz"),
        ("ΛΉΘΗ ΐ", "ληθη ΐ"),
        ("Ёлка が 한국", "елка が 한국"),
        ("\u0986\u09df", "\u0986\u09df"),
        ("\ufb2a\u05dc", "\ufb2a\u05dc"),
        ("[a-z]+ ^100%\\d", "[A-Z]+ ^100%\\d"),
    ],
)
def test_search_ignores_case_accents_and_what_nobody_sees(client: Client, title: str, typed: str) -> None:
    assert find(client, title, typed) == [True] * 3


@pytest.mark.parametrize(
    ("title", "typed"),
    [("Grose", "gross"), ("Mule", "müll"), ("Trade", "."), ("ab", "a.b"), ("1 of 2", "½"), ("iris", "ĳ")],
)
def test_search_finds_no_other_letters(client: Client, title: str, typed: str) -> None:
    assert find(client, title, typed) == [False] * 3
