"""Frozen copies: read one, change what is said about it, withdraw it, and remove what has expired."""

import zlib
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from econweb.accounts.changes import record_changes
from econweb.accounts.people import Person
from econweb.library import canonical
from econweb.library.freezing import MAX_CANONICAL_BYTES, Draft, edit_of, state_of
from econweb.library.models import ME, Body, FrozenCopy
from econweb.upstream.records import FetchedTags, Series

# Bodies that one call removes.
EXPIRED_PER_CALL = 100


class BrokenBody(Exception):
    """The content of a copy is not what was frozen."""


def is_expired(copy: FrozenCopy, now: datetime) -> bool:
    return copy.expires is not None and copy.expires <= now


def read_lines(copy: FrozenCopy) -> bytes:
    """Return the canonical form, or raise BrokenBody if the database holds something else."""
    if (body := copy.body) is None:
        raise BrokenBody("The content is not here.")
    unpacker = zlib.decompressobj()
    try:
        lines = unpacker.decompress(bytes(body.packed), MAX_CANONICAL_BYTES)
    except zlib.error as error:
        raise BrokenBody(str(error)) from None
    if canonical.digest(lines) != copy.sha256:
        raise BrokenBody("The digest is another one.")
    return lines


def read_tags(copy: FrozenCopy) -> FetchedTags:
    return FetchedTags(
        realtime_start=copy.realtime_start,
        realtime_end=copy.realtime_end,
        tags=canonical.read_tags(read_lines(copy)),
        series=copy.series,
        warnings=tuple(copy.warnings.splitlines()),
        is_truncated=not copy.is_complete,
        requested={},
        echoed={},
    )


def read_series(copy: FrozenCopy) -> tuple[Series, ...]:
    return canonical.read_series(read_lines(copy))


def change(person: Person, copy: FrozenCopy, draft: Draft) -> None:
    """Store another title, reason and audience; nobody changes the content."""
    with transaction.atomic():
        stored = FrozenCopy.objects.select_for_update().get(pk=copy.pk)
        if stored.withdrawn or is_expired(stored, timezone.now()):
            return
        before = state_of(stored)
        stored.title, stored.reason, stored.audience = draft.title, draft.reason, draft.audience
        stored.save(update_fields=["title", "reason", "audience"])
        record_changes(person.name, "changed", [edit_of(stored, before)])


def withdraw(person: Person, copy: FrozenCopy, reason: str) -> None:
    with transaction.atomic():
        stored = FrozenCopy.objects.select_for_update().get(pk=copy.pk)
        if stored.withdrawn:
            return
        before = state_of(stored)
        stored.withdrawn, stored.withdrawn_by, stored.withdrawn_reason = timezone.now(), person.name, reason
        _drop_body(stored)
        stored.save(update_fields=["withdrawn", "withdrawn_by", "withdrawn_reason", "body"])
        record_changes(person.name, "withdrawn", [edit_of(stored, before)], "" if stored.audience == ME else reason)


def remove_expired() -> int:
    """Remove the content of copies whose last day is over, some of them at once, and return how many they were."""
    with transaction.atomic():
        over = FrozenCopy.objects.select_for_update().filter(expires__lte=timezone.now()).exclude(body=None)
        copies = list(over[:EXPIRED_PER_CALL])
        for copy in copies:
            _drop_body(copy)
            copy.save(update_fields=["body"])
    return len(copies)


def _drop_body(copy: FrozenCopy) -> None:
    """Let go of the body, and delete it if no other copy has it.

    The lock lets two copies of equal content go one after the other.
    """
    sha256, copy.body = copy.body_id, None
    Body.objects.select_for_update().filter(pk=sha256).first()
    if sha256 and not FrozenCopy.objects.filter(body_id=sha256).exclude(pk=copy.pk).exists():
        FrozenCopy.objects.filter(pk=copy.pk).update(body=None)
        Body.objects.filter(pk=sha256).delete()
