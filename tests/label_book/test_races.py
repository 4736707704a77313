"""Two editors at the same time: neither replaces a name that the other has not seen.

PostgreSQL runs these tests too (tests/catalogue/test_postgresql.py): SQLite lets one transaction write at a time.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from django.db import connection
from django.test import Client

from econweb.accounts.changes import record_changes
from econweb.accounts.models import Change
from econweb.dashboard.names.forms import NameForm
from econweb.label_book import editing
from econweb.label_book.models import Label
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both editors find what is stored before either of them stores anything."""
    both, lock_label = Barrier(2, timeout=60), editing._lock_label

    def lock_together(kind: str, number: int) -> Label | None:
        found = lock_label(kind, number)
        # On SQLite the second one waits for the first.
        if connection.vendor == "postgresql":
            with suppress(BrokenBarrierError):
                both.wait()
                both.abort()
        return found

    monkeypatch.setattr(editing, "_lock_label", lock_together)


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
