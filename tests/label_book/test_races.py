"""Editors, imports and loads at the same time: none replaces a name that it has not seen.

PostgreSQL runs these tests too (tests/catalogue/test_postgresql.py): SQLite lets one transaction write at a time.
"""

from collections.abc import Callable
from io import StringIO
from threading import Event
from time import monotonic, sleep
from types import ModuleType

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory

from econweb import advisory_lock
from econweb.accounts.changes import record_changes
from econweb.accounts.models import Change
from econweb.dashboard.names.forms import NameForm
from econweb.label_book import editing, storing
from econweb.label_book.admin import LabelAdmin
from econweb.label_book.files import BadFile
from econweb.label_book.models import Label
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


class Meeting:
    """Lets the first of two, once it has read what is stored, wait for the other one to come."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        self.has_read = Event()

    def follows(self, module: ModuleType, name: str) -> None:
        """Let the first one wait after this function."""
        function = getattr(module, name)

        def wait(*given: object) -> object:
            found = function(*given)
            if not self.has_read.is_set():
                self.has_read.set()
                # On SQLite the other one has not begun.
                if connection.vendor == "postgresql":
                    wait_for_other()
            return found

        self.patch.setattr(module, name, wait)

    def give_name(self) -> object:
        """Be the other one, an editor who names category 7."""
        self.has_read.wait(10)
        return Client().post("/me/names/category/7/", {"name": "Trade", "opened": "0"}).status_code


def wait_for_other() -> None:
    """Return when another transaction waits for a lock, or after the time that would let it end."""
    ends = monotonic() + 3
    waiting = False
    while not waiting and monotonic() < ends:
        sleep(0.02)
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            [waiting] = cursor.fetchone()


@pytest.fixture
def meeting(monkeypatch: pytest.MonkeyPatch) -> Meeting:
    return Meeting(monkeypatch)


@pytest.fixture
def read_together(meeting: Meeting) -> None:
    meeting.follows(editing, "_lock_label")


@pytest.mark.usefixtures("read_together")
def test_two_editors_at_once_who_name_a_category_meet_a_conflict() -> None:
    texts: list[str] = []

    def give(name: str) -> Callable[[], object]:
        def post() -> object:
            page = Client().post("/me/names/category/900/", {"name": name, "opened": "0"})
            texts.extend([page.text] if page.status_code == 409 else [])
            return page.status_code

        return post

    statuses = at_once(give("Trade"), give("Commerce"))

    stored = Label.objects.get(kind="category", number=900)
    assert sorted(map(str, statuses)) == ["200", "409"]
    assert stored.name in texts[0]
    assert [change.after["name"] for change in Change.objects.all() if change.after] == [stored.name]


def test_name_given_between_reading_and_checking_meets_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    def clean(_form: NameForm) -> None:
        Label.objects.create(kind="category", number=900, name="Commerce")

    monkeypatch.setattr(NameForm, "clean", clean)

    page = Client().post("/me/names/category/900/", {"name": "Trade", "opened": "0"})

    assert page.status_code == 409
    assert Label.objects.get().name == "Commerce"


@pytest.fixture
def turned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store, just before the first change has its turn, that category 2 is part of category 1."""
    take_turns = advisory_lock.take_turns

    def turn(purpose: int) -> None:
        monkeypatch.setattr(advisory_lock, "take_turns", take_turns)
        Label.objects.filter(number=2).update(parent=1)
        take_turns(purpose)

    Label.objects.bulk_create(Label(kind="category", number=one, name=f"Category {one}") for one in (1, 2))
    monkeypatch.setattr(advisory_lock, "take_turns", turn)


@pytest.mark.usefixtures("turned")
def test_editors_at_once_store_no_circle() -> None:
    opened = Label.objects.get(number=1).revision
    page = Client().post("/me/names/category/1/", {"name": "One", "parent": "2", "opened": opened})

    assert page.status_code == 400
    assert "Category 2 is itself part of category 1." in page.text
    assert not Label.objects.filter(number=1, parent=2)


@pytest.mark.usefixtures("turned")
def test_import_and_editor_at_once_store_no_circle() -> None:
    with pytest.raises(BadFile, match=r"Line 2, parent_id: category 2 is itself part of category 1\."):
        editing.import_labels("bob", StringIO("kind,id,name,note,parent_id\ncategory,1,One,,2\n"))


@pytest.mark.usefixtures("read_together")
def test_undone_deletion_replaces_no_name_that_is_given_at_the_same_time() -> None:
    label = Label(kind="category", number=900, name="Trade")
    record_changes("ada", "deleted", [editing.edit_of(label, editing.state_of(label), None)])
    deleted = Change.objects.get()

    at_once(
        lambda: editing.undo("ada", deleted),
        lambda: editing.save_name("bob", Label(kind="category", number=900, name="Commerce"), 0),
    )

    assert Change.objects.exclude(pk=deleted.pk).get().after == editing.state_of(Label.objects.get(number=900))


def test_deletion_in_the_admin_records_the_name_that_it_deletes(rf: RequestFactory) -> None:
    """The page can be older than the name."""
    editing.save_name("ada", Label(kind="category", number=900, name="Trade"), 0)
    seen = Label.objects.get()
    editing.save_name("bob", Label(kind="category", number=900, name="Commerce"), seen.revision)
    request = rf.post("/")
    request.user = User(username="ada")

    LabelAdmin(Label, admin.site).delete_model(request, seen)

    assert not Label.objects.exists()
    assert Change.objects.get(verb="deleted").before == {"name": "Commerce", "note": "", "parent": None}


def test_catalogue_replaces_no_name_that_is_given_at_the_same_time(meeting: Meeting) -> None:
    meeting.follows(storing, "stored_parents")

    results = at_once(
        lambda: storing.offer_labels([Label(kind="category", number=7, name="Catalogue")], replace=True),
        meeting.give_name,
    )

    assert sorted(map(str, results)) == ["1", "409"]
    assert Label.objects.get().name == "Catalogue"
    assert not Change.objects.exists()


def test_import_replaces_no_name_that_is_given_at_the_same_time(meeting: Meeting) -> None:
    labels = [Label(kind="category", number=7, name="Imported")]
    seen = editing.digest_of(editing.compare_labels(labels)[0])
    meeting.follows(editing, "_compare")

    file = StringIO("kind,id,name,note,parent_id\ncategory,7,Imported,,\n")
    results = at_once(lambda: editing.import_labels("bob", file, seen=seen).changed, meeting.give_name)

    assert sorted(map(str, results)) == ["1", "409"]
    assert [(change.person, change.after) for change in Change.objects.all()] == [
        ("bob", {"name": "Imported", "note": "", "parent": None})
    ]
