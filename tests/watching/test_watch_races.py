"""Several people and windows at once: one row for each source, one watch for each view. PostgreSQL runs this too."""

from itertools import permutations

import pytest
from django.contrib.auth.models import User

from econweb.accounts.people import Person, Role
from econweb.watching import watches
from econweb.watching.models import Watch, WatchedSource
from econweb.watching.watches import TooManyWatches
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_passwords")]
SOURCES = [("series", key) for key in ("A", "B", "C", "D")]


@pytest.fixture(autouse=True)
def accounts() -> None:
    for name in "abcdef":
        User.objects.create(username=name)


def follow(name: str, order: int = 0, link: str = "/series/?ids=A,B,C,D") -> Watch:
    sources = [*permutations(SOURCES)][order]
    return watches.follow(Person(name, Role.READER), "list", link, sources)


def test_followers_of_the_same_sources_share_one_row_for_each() -> None:
    results = at_once(*(lambda name=name, n=n: follow(name, n * 4) for n, name in enumerate("abcdef")))

    assert all(isinstance(one, Watch) for one in results), results
    assert WatchedSource.objects.exclude(due=None).count() == 4
    assert sorted(Watch.objects.values_list("sources__key", flat=True)) == sorted("ABCD" * 6)


def test_two_windows_that_follow_one_view_make_one_watch() -> None:
    results = at_once(*(lambda n=n: follow("a", n) for n in range(6)))

    assert {one.pk for one in results if isinstance(one, Watch)} == {Watch.objects.get().pk}
    assert len(results) == 6


def test_windows_of_one_person_pass_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "MAX_WATCHES", 3)
    follow("a")
    ada = Person("a", Role.READER)
    # Of other series: the rows of these lock nobody out.
    results = at_once(
        *(lambda n=n: watches.follow(ada, "series", f"/series/N{n}/", [("series", f"N{n}")]) for n in range(6))
    )

    assert [type(one) for one in results].count(TooManyWatches) == 4
    assert Watch.objects.count() == 3


def test_source_is_in_the_queue_if_and_only_if_somebody_follows_it() -> None:
    for _ in range(5):
        ended = [follow(name).pk for name in "abc"]
        results = at_once(
            *(
                lambda name=name, pk=pk: watches.unfollow(Person(name, Role.READER), pk)
                for name, pk in zip("abc", ended, strict=True)
            ),
            *(lambda name=name, n=n: follow(name, n * 3) for n, name in enumerate("def")),
            watches.settle_all,
        )
        assert not [one for one in results if isinstance(one, Exception)]
        assert WatchedSource.objects.exclude(due=None).count() == 4

        ends = [(watch.person, watch.pk) for watch in Watch.objects.all()]
        at_once(*(lambda one=one: watches.unfollow(Person(one[0], Role.READER), one[1]) for one in ends))
        assert WatchedSource.objects.filter(due=None).count() == 4
