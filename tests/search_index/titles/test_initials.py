"""Letters with dots between them, such as U.S., are one word in searches and titles."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import TitleQuery, find, find_best
from econweb.search_index.titles.places import Record

pytestmark = pytest.mark.django_db
upgrade = import_module("econweb.search_index.migrations.0008_initials").index_titles_again


def ids(text: str) -> list[str]:
    return [row.series_id for row in find(TitleQuery(text)).rows]


@pytest.mark.usefixtures("sample_titles")
@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("U.S. GDP", "us gdp"),
        ("unemployment rate, U.S", "unemployment rate us"),
        ("u.s.a. unemployment rate", "usa unemployment rate"),
        ("Ú.S. dollar index", "us dollar index"),
        ("U.K. pound", "uk pound"),
        ("pound U.K.", "pound uk"),
        ("F.A.S. exports", "fas exports"),
        ("U.S.", "u.s"),
    ],
)
def test_letters_with_dots_between_them_are_one_word(text: str, same: str) -> None:
    """A title had to have the S of “U.S. GDP”."""
    found = find(TitleQuery(text))

    assert found.rows
    assert found == find(TitleQuery(same))
    assert find_best(text, 6) == find_best(same, 6)


@pytest.mark.usefixtures("sample_titles")
def test_parts_of_letters_with_dots_between_them_are_no_words() -> None:
    assert ids("s dollar index") == []


def test_character_that_nobody_sees_splits_no_word_of_a_title() -> None:
    title_index.add([Record("A", "Un\u00ademployment of zinc\u200b miners")], title_index.FETCHED)

    assert (ids("unemployment"), ids("zinc"), ids("employment")) == (["A"], ["A"], [])


def test_upgrade_indexes_again_the_titles_with_dots_between_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("econweb.search_index.titles.words.join_initials", str)
        title_index.add([Record("A", "U.S. Zinc"), Record("B", "Tin of the south")], title_index.FETCHED)
    before, revision = ids("us"), title_index.revision()
    upgrade(apps, connection.schema_editor())

    assert (before, ids("us"), ids("s zinc"), ids("tin")) == ([], ["A"], [], ["B"])
    assert title_index.known_words(["us", "u", "s"]) == ["us"]
    assert title_index.revision() != revision
    title_index.add([Record("A", "Lead")], title_index.FETCHED)
    assert (ids("us"), ids("lead")) == ([], ["A"])
