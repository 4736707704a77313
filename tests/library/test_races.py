"""Additions at the same time, of one person or of two: none passes a bound. PostgreSQL runs these tests too."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread

import pytest
from django.db.models.signals import pre_save
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.people import Person, Role
from econweb.library import freezing, saved_views
from econweb.library.copies import sweep
from econweb.library.freezing import CannotFreeze, freeze
from econweb.library.models import EVERYONE, ID_LENGTH, Body, FrozenCopy, SavedView
from econweb.library.saved_views import Entry, TooManyViews
from tests.library.builders import ADA, DRAFT, TARGET, a_content, a_tag
from tests.library.exported import export, import_
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def save() -> SavedView:
    return saved_views.save(ADA, "tags", TARGET, Entry("Trade", "", EVERYONE, is_pinned=False))


@pytest.mark.parametrize(
    ("add", "error", "model"),
    [(lambda: freeze(ADA, DRAFT, a_content()), CannotFreeze, FrozenCopy), (save, TooManyViews, SavedView)],
)
def test_two_windows_of_a_person_pass_no_bound(
    monkeypatch: pytest.MonkeyPatch,
    add: Callable[[], object],
    error: type[Exception],
    model: type[FrozenCopy] | type[SavedView],
) -> None:
    add()
    both = Barrier(2, timeout=1)

    class Together(int):
        """A bound that is compared when both have counted, if they count at the same time."""

        def __le__(self, other: int) -> bool:
            with suppress(BrokenBarrierError):
                both.wait()
            return int(self) <= other

    for module, name in ((freezing, "MAX_COPIES"), (saved_views, "MAX_VIEWS")):
        monkeypatch.setattr(module, name, Together(2))
    results = at_once(add, add)

    assert [type(one) for one in results].count(error) == 1
    assert model.objects.count() == 2


def test_two_people_pass_no_bound_of_all(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    both, count = Barrier(2, timeout=1), freezing.count_bytes

    def count_together() -> int:
        """Return the bytes when both have counted, if they count at the same time."""
        counted = count()
        with suppress(BrokenBarrierError):
            both.wait()
        return counted

    settings.LIBRARY_MAX_MB = 1
    monkeypatch.setattr(freezing, "MEGABYTE", 200)
    monkeypatch.setattr(freezing, "count_bytes", count_together)
    results = at_once(
        lambda: freeze(ADA, DRAFT, a_content(a_tag("one"))),
        lambda: freeze(Person("bob", Role.READER), DRAFT, a_content(a_tag("two"))),
    )

    assert [type(one) for one in results].count(CannotFreeze) == 1
    assert Body.objects.count() == FrozenCopy.objects.count() == 1


def test_content_that_an_import_uses_is_not_removed_with_an_expired_copy(tmp_path: Path) -> None:
    copy = freeze(ADA, DRAFT, a_content())
    exported = export(tmp_path)
    FrozenCopy.objects.filter(pk=copy.pk).update(id="0" * ID_LENGTH, expires=timezone.now())
    sweeper = Thread(target=lambda: at_once(sweep))

    def sweep_first(**_: object) -> None:
        sweeper.start()
        sweeper.join(timeout=1)

    pre_save.connect(sweep_first, FrozenCopy)
    try:
        said = import_(tmp_path, exported)
    finally:
        pre_save.disconnect(sweep_first, FrozenCopy)
    sweeper.join()

    assert said.startswith("0 saved views and 1 frozen copy were stored")
    assert FrozenCopy.objects.get(pk=copy.pk).body == Body.objects.get()
