"""Frozen copies: what is stored, once for equal content, within bounds, and what goes again."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from econweb.accounts.models import Change
from econweb.library import copies, freezing
from econweb.library.canonical import digest, write_lines
from econweb.library.copies import BrokenBody, read_lines, read_tags, sweep, withdraw
from econweb.library.freezing import CannotFreeze, Draft, freeze
from econweb.library.models import EVERYONE, ME, SIGNED_IN, Body, FrozenCopy, new_id, read_id
from tests.library.builders import ADA, DRAFT, a_content, a_frozen_copy, a_tag

pytestmark = pytest.mark.django_db


def test_copy_is_read_back_with_its_digests() -> None:
    content = a_content(view=[a_tag("usa")], series=14, warnings=["One.", "Two."])
    copy = FrozenCopy.objects.get(pk=freeze(ADA, DRAFT, content).pk)
    fetched = read_tags(copy)

    assert set(fetched.tags) == set(content.records)
    assert (fetched.series, fetched.warnings, fetched.is_truncated) == (14, ("One.", "Two."), False)
    assert copy.sha256 == digest(write_lines(content.records)) == digest(read_lines(copy))
    assert copy.view_sha256 == digest(write_lines([a_tag("usa")]))
    assert (copy.rows, copy.view_rows) == (2, 1)


def test_freezing_and_withdrawing_are_recorded() -> None:
    copy = freeze(ADA, DRAFT, a_content())
    withdraw(ADA, copy, "A wrong category.")
    withdraw(ADA, copy, "Again.")

    assert list(Change.objects.values_list("verb", "person", "key", "reason")) == [
        ("withdrawn", "ada", copy.id, "A wrong category."),
        ("frozen", "ada", copy.id, "For table 2"),
    ]


@pytest.mark.parametrize(("audience", "recorded"), [(ME, ""), (SIGNED_IN, "Why."), (EVERYONE, "Why.")])
def test_reason_to_withdraw_a_private_copy_stays_private(audience: str, recorded: str) -> None:
    copy = freeze(ADA, Draft("A title", "", audience), a_content())
    withdraw(ADA, copy, "Why.")

    assert Change.objects.get(verb="withdrawn").reason == recorded
    assert FrozenCopy.objects.get().withdrawn_reason == "Why."


def test_equal_content_is_stored_once_and_goes_with_its_last_copy() -> None:
    first, second = freeze(ADA, DRAFT, a_content()), freeze(ADA, DRAFT, a_content())
    assert first.id != second.id
    assert Body.objects.count() == 1

    withdraw(ADA, first, "Twice.")
    assert Body.objects.count() == 1
    withdraw(ADA, second, "Not needed.")
    assert Body.objects.count() == 0


def test_where_nothing_may_be_stored_only_digests_are(settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    copy = freeze(ADA, DRAFT, a_content())

    assert copy.body is None
    assert Body.objects.count() == 0
    assert copy.sha256 == digest(write_lines(a_content().records))


@pytest.mark.parametrize(
    ("bound", "value", "words"),
    [("MAX_COPIES", 1, "You have 1 frozen copies"), ("MAX_BODY_BYTES", 20, "too large to be frozen")],
)
def test_bound_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch, bound: str, value: int, words: str) -> None:
    freeze(ADA, DRAFT, a_content())
    monkeypatch.setattr(freezing, bound, value)

    with pytest.raises(CannotFreeze, match=words):
        freeze(ADA, DRAFT, a_content(a_tag("other")))
    assert FrozenCopy.objects.count() == Body.objects.count() == 1


def test_person_has_two_hundred_copies_at_most() -> None:
    FrozenCopy.objects.bulk_create(a_frozen_copy() for _ in range(199))
    freeze(ADA, DRAFT, a_content())

    with pytest.raises(CannotFreeze, match=r"You have 200 frozen copies\. Withdraw a private one, or ask an editor to"):
        freeze(ADA, DRAFT, a_content())


def test_full_library_takes_only_content_that_it_has(settings: Settings) -> None:
    freeze(ADA, DRAFT, a_content())
    settings.LIBRARY_MAX_MB = 0

    freeze(ADA, DRAFT, a_content())
    with pytest.raises(CannotFreeze, match="The library is full"):
        freeze(ADA, DRAFT, a_content(a_tag("other")))
    assert FrozenCopy.objects.count() == 2


def test_sweep_removes_expired_content_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "three"):
        freeze(ADA, Draft("A title", "", ME, days=30), a_content(a_tag(name)))
    freeze(ADA, DRAFT, a_content())
    FrozenCopy.objects.exclude(expires=None).update(expires=timezone.now() - timedelta(seconds=1))
    monkeypatch.setattr(copies, "SWEPT_AT_ONCE", 2)

    # The next batch comes soon while there may be more.
    assert [sweep(), sweep(), sweep()] == [1.0, 600.0, 600.0]
    assert (FrozenCopy.objects.count(), Body.objects.count()) == (4, 1)


@pytest.mark.parametrize("packed", [b"nonsense", b""])
def test_broken_content_is_never_shown(packed: bytes) -> None:
    copy = freeze(ADA, DRAFT, a_content())
    Body.objects.update(packed=packed)
    copy.refresh_from_db()

    with pytest.raises(BrokenBody):
        read_lines(copy)


def test_content_of_another_copy_is_found_out() -> None:
    copy, other = freeze(ADA, DRAFT, a_content()), freeze(ADA, DRAFT, a_content(a_tag("other")))
    copy.body = other.body

    with pytest.raises(BrokenBody):
        read_lines(copy)


def test_ids_have_65_random_bits() -> None:
    found = {new_id() for _ in range(1000)}

    assert len(found) == 1000
    assert {len(one) for one in found} == {13}
    # Each place takes each of 32 letters, so that nothing of an id follows from another one.
    assert all(len({one[place] for one in found}) == 32 for place in range(13))


def test_id_is_read_as_people_write_it() -> None:
    assert read_id("OIL8zQ0000ABC"[:13]) == "0118zq0000abc"
