"""Watches and the queue of looks: what somebody follows has its place, and nothing else."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.people import LOCAL_EDITOR, Person, Role
from econweb.watching import watches
from econweb.watching.models import Watch, WatchedSource
from tests.library.builders import ADA
from tests.watching.news_builders import an_announcement

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_passwords")]
BOB = Person("bob", Role.READER)
SERIES = [("series", "GNPCA")]
LINK = "/series/GNPCA/"


@pytest.fixture(autouse=True)
def accounts() -> None:
    for person in (ADA, BOB):
        User.objects.create(username=person.name)


def follow(person: Person = ADA, link: str = LINK, sources: list[tuple[str, str]] = SERIES) -> Watch:
    return watches.follow(person, "series", link, sources)


def source() -> WatchedSource:
    return WatchedSource.objects.get()


def look(**fields: object) -> None:
    """Store what a look leaves behind."""
    given = {"state": b"x", "state_at": timezone.now(), "due": timezone.now() + timedelta(days=3), "interval": 4.0}
    WatchedSource.objects.update(**(given | fields))


def test_source_is_looked_at_once_for_all_followers() -> None:
    follow()
    look()
    before = source()
    follow(BOB)

    assert Watch.objects.count() == 2
    assert (source().due, source().interval, source().state) == (before.due, 4.0, b"x")


def test_source_rests_when_nobody_follows_it_any_more() -> None:
    mine, of_bob = follow(), follow(BOB)
    news = an_announcement("series:GNPCA")
    assert watches.unfollow(ADA, mine.pk)
    assert source().due

    watches.unfollow(BOB, of_bob.pk)
    assert source().due is None
    assert news in source().announcement_set.all()


def test_nobody_ends_the_watch_of_another() -> None:
    watch = follow()

    assert watches.unfollow(BOB, watch.pk) is None
    assert watches.unfollow(ADA, 10**17) is None
    assert source().due


@pytest.mark.parametrize(("days", "state"), [(6, b"x"), (8, None)])
def test_state_of_long_ago_is_forgotten(days: int, state: bytes | None) -> None:
    watches.unfollow(ADA, follow().pk)
    look(due=None, state_at=timezone.now() - timedelta(days=days), candidate=b"y" if state is None else None)
    follow()

    assert (source().state, source().candidate) == (state, None)
    assert source().due is not None
    assert source().interval == 1.0


@pytest.mark.parametrize("settle", [lambda: follow(BOB), watches.settle_all])
def test_another_service_starts_again(settings: Settings, settle: Callable[[], object]) -> None:
    follow()
    look(holder="another process", held_until=timezone.now(), failures=3, failure="Busy")
    settings.ECON_BASE_URL = "https://other.example"
    settle()

    row = source()
    assert (row.service, row.state, row.state_at, row.holder, row.failures) == (
        "https://other.example",
        None,
        None,
        "",
        0,
    )
    assert row.due
    assert row.due <= timezone.now()


def test_looks_end_with_the_last_account_and_begin_again_with_it() -> None:
    follow()
    follow(BOB)
    User.objects.filter(username="ada").update(is_active=False)
    assert watches.settle_all() == 0

    User.objects.filter(username="bob").delete()
    assert (watches.settle_all(), watches.settle_all()) == (1, 0)
    assert source().due is None

    User.objects.filter(username="ada").update(is_active=True)
    assert watches.settle_all() == 1
    assert source().due
    # That of the deleted account is gone with it.
    assert [watch.person for watch in Watch.objects.all()] == ["ada"]


@pytest.mark.parametrize(
    ("sign_in", "person", "account", "is_followed"),
    [
        ("proxy", "carl", None, True),
        ("proxy", "carl", {"is_active": False}, False),
        ("local", LOCAL_EDITOR.name, None, True),
        ("local", "carl", {}, False),
        ("local", "carl", {"is_staff": True}, True),
        ("password", LOCAL_EDITOR.name, None, False),
        ("oidc", "carl", {}, True),
    ],
)
def test_source_is_looked_at_for_people_who_may_sign_in(
    settings: Settings, sign_in: str, person: str, account: dict[str, bool] | None, is_followed: bool
) -> None:
    settings.SIGN_IN = sign_in
    if account is not None:
        User.objects.create(username=person, **account)
    follow(Person(person, Role.READER))
    watches.settle_all()

    assert (source().due is not None) == is_followed


def test_list_shares_its_sources_with_others() -> None:
    follow()
    both = follow(link="/series/?ids=GNPCA,UNRATE", sources=[("series", "UNRATE"), *SERIES])
    watches.unfollow(ADA, both.pk)

    assert dict(WatchedSource.objects.values_list("key", "due")).keys() == {"GNPCA", "UNRATE"}
    assert WatchedSource.objects.get(due=None).key == "UNRATE"


def test_sources_of_one_person_are_bounded_whatever_views_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "MAX_SOURCES", 3)
    follow(link="/series/?ids=A,B", sources=[("series", "A"), ("series", "B")])
    follow(link="/series/?ids=B,C", sources=[("series", "B"), ("series", "C")])
    with pytest.raises(watches.TooManySources):
        follow(link="/series/D/", sources=[("series", "D")])
    # The limit of one person is not that of another, and a view that is followed stays so.
    follow(BOB, link="/series/?ids=D", sources=[("series", "D")])
    again = follow(link="/series/?ids=A,B", sources=[("series", "A"), ("series", "B")])
    follow(link="/series/?ids=A,C", sources=[("series", "A"), ("series", "C")])
    watches.unfollow(ADA, again.pk)

    assert Watch.objects.filter(person=ADA.name).count() == 2
    assert WatchedSource.objects.count() == 4


def test_many_sources_are_settled_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "BATCH", 2)
    follow(link="/series/?ids=A,B,C,D,E", sources=[("series", key) for key in "ABCDE"])
    User.objects.update(is_active=False)

    assert watches.settle_all() == 5
    assert not WatchedSource.objects.exclude(due=None).exists()


def test_new_account_of_an_old_name_follows_nothing() -> None:
    follow()
    follow(BOB)
    User.objects.get(username=ADA.name).delete()
    User.objects.create(username=ADA.name)

    assert list(watches.watches_of(ADA.name)) == []
    assert watches.watches_of(BOB.name).count() == 1
