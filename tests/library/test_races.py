"""Additions of one person at the same time: none passes the bound. PostgreSQL runs this test too."""

from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest

from econweb.library import freezing, saved_views
from econweb.library.freezing import CannotFreeze, freeze
from econweb.library.models import EVERYONE, FrozenCopy, SavedView
from econweb.library.saved_views import Entry, TooManyViews
from tests.accounts.test_races import at_once
from tests.library.builders import ADA, DRAFT, TARGET, a_content

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
