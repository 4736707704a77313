"""The rights to see, change and withdraw, for each audience and role; lists follow the same rule."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import econweb.dashboard
from econweb.accounts.people import Person, Role
from econweb.library.models import AUDIENCES, EVERYONE, ME, SIGNED_IN, FrozenCopy, SavedView
from econweb.library.rights import count_owned, may_edit, may_see, may_withdraw, problem_with_audience, visible_to
from tests.library.builders import a_frozen_copy, a_saved_view

NOW = datetime(2026, 3, 1, tzinfo=UTC)
STRANGER = None
OWN, READER = Person("ada", Role.READER), Person("bob", Role.READER)
EDITOR, ADMIN = Person("eve", Role.EDITOR), Person("root", Role.ADMIN)
PEOPLE: list[Person | None] = [STRANGER, OWN, READER, EDITOR, ADMIN]
Table = dict[str, list[Person | None]]
# The people who may see and change what ada keeps, and withdraw it on the first day and later.
SEE: Table = {ME: [OWN, ADMIN], SIGNED_IN: [OWN, READER, EDITOR, ADMIN], EVERYONE: PEOPLE}
EDIT: Table = {ME: [OWN, ADMIN], SIGNED_IN: [OWN, EDITOR, ADMIN], EVERYONE: [OWN, EDITOR, ADMIN]}
WITHDRAW_LATER: Table = {ME: [OWN, ADMIN], SIGNED_IN: [EDITOR, ADMIN], EVERYONE: [EDITOR, ADMIN]}


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("person", PEOPLE)
def test_right_depends_on_audience_and_person(audience: str, person: Person | None) -> None:
    copy = FrozenCopy(person="ada", audience=audience, created=NOW)
    for thing in (copy, SavedView(person="ada", audience=audience)):
        assert may_see(thing, person) == (person in SEE[audience])
        assert may_edit(thing, person) == (person in EDIT[audience])
    assert may_withdraw(copy, person, NOW + timedelta(hours=23)) == (person in EDIT[audience])
    assert may_withdraw(copy, person, NOW + timedelta(hours=25)) == (person in WITHDRAW_LATER[audience])


@pytest.mark.parametrize("person", [READER, EDITOR, ADMIN])
def test_only_the_owner_makes_a_thing_private(person: Person) -> None:
    for thing in (FrozenCopy(person="ada", created=NOW), SavedView(person="ada")):
        thing.audience = EVERYONE
        assert not problem_with_audience(thing, ME, OWN, NOW)
        assert "Only ada" in problem_with_audience(thing, ME, person, NOW)
        thing.audience = ME
        assert not problem_with_audience(thing, ME, person, NOW)


def test_owner_shows_an_old_copy_to_fewer_people_only_with_an_editor() -> None:
    view, copy = (model(person="ada", audience=EVERYONE) for model in (SavedView, FrozenCopy))
    copy.created = NOW - timedelta(days=2)

    assert not problem_with_audience(view, SIGNED_IN, OWN, NOW)
    assert "Ask an editor" in problem_with_audience(copy, SIGNED_IN, OWN, NOW)
    assert not problem_with_audience(copy, SIGNED_IN, EDITOR, NOW)


@pytest.mark.django_db
def test_person_owns_the_views_and_the_copies_of_the_name() -> None:
    a_frozen_copy(person="ada").save()
    for person, slug in (("ada", "a"), ("ada", "b"), ("bob", "c")):
        a_saved_view(person=person, slug=slug).save()

    assert (count_owned("ada"), count_owned("bob"), count_owned("eve")) == (3, 1, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_lists_hold_what_a_person_may_see(person: Person | None) -> None:
    for audience in AUDIENCES:
        a_frozen_copy(audience=audience).save()
        a_saved_view(slug=audience, audience=audience).save()

    for model in (FrozenCopy, SavedView):
        found = {thing.audience for thing in model.objects.filter(visible_to(person))}
        assert found == {thing.audience for thing in model.objects.all() if may_see(thing, person)}


COMPARED = re.compile(r"audience(__\w+)?\s*(==|!=|=|in)\s*[\[({]*\s*(\w+\.)?(EVERYONE|SIGNED_IN|ME\b|['\"])")


@pytest.mark.parametrize(
    "code",
    ["copy.audience == EVERYONE", "audience__in={ME}", 'audience != "me"', "audience in (EVERYONE, ME)", "audience=ME"],
)
def test_comparison_of_an_audience_is_noticed(code: str) -> None:
    assert COMPARED.search(code)


def test_pages_compare_no_audience_by_themselves() -> None:
    """Code that decides who may see a view or copy would not follow a change of `rights.py`; templates only word it."""
    (folder,) = econweb.dashboard.__path__
    paths = list(Path(folder).rglob("*.py"))

    assert len(paths) > 100
    assert [path.name for path in paths if COMPARED.search(path.read_text(encoding="utf-8"))] == []
