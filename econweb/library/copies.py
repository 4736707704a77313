"""Frozen copies: read one, change what is said about it, withdraw it, and remove what has expired."""

import zlib
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from econweb.accounts.changes import record_changes
from econweb.accounts.people import Person
from econweb.library import canonical
from econweb.library.concurrency import ChangedMeanwhile, lock_seen
from econweb.library.freezing import MAX_CANONICAL_BYTES, Draft, edit_of, state_of
from econweb.library.models import ME, Body, FrozenCopy
from econweb.library.rights import may_withdraw
from econweb.upstream.records import FetchedTags, Series

# Bodies that one sweep removes, and seconds until the next one, which depend on whether there may be more.
SWEPT_AT_ONCE = 100
SWEEP_SECONDS, NEXT_BATCH_SECONDS = 600.0, 1.0


class BrokenBody(Exception):
    """The content of a copy is not what was frozen."""


def read_lines(copy: FrozenCopy) -> bytes:
    """Return the canonical form, or raise BrokenBody if the database holds something else."""
    if copy.body is None:
        raise BrokenBody("Its content is not here.")
    return unpack(bytes(copy.body.packed), copy.sha256)


def unpack(packed: bytes, sha256: str) -> bytes:
    """Return the canonical form that has this digest, or raise BrokenBody."""
    unpacker = zlib.decompressobj()
    try:
        lines = unpacker.decompress(packed, MAX_CANONICAL_BYTES)
    except zlib.error:
        raise BrokenBody("Its content cannot be unpacked.") from None
    if unpacker.unused_data or canonical.digest(lines) != sha256:
        raise BrokenBody("Its content does not match its SHA-256 digest.")
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


def change(person: Person, copy: FrozenCopy, draft: Draft, seen: datetime | None) -> None:
    """Store another title, reason and audience for a copy seen as changed at `seen`; nobody changes the content."""
    with transaction.atomic():
        stored = lock_seen(FrozenCopy, copy.pk, seen)
        entered = draft.title, draft.reason, draft.audience
        if stored.is_gone or entered == (stored.title, stored.reason, stored.audience):
            return
        before = state_of(stored)
        stored.title, stored.reason, stored.audience = entered
        stored.changed = timezone.now()
        stored.save(update_fields=["title", "reason", "audience", "changed"])
        record_changes(person.name, "changed", [edit_of(stored, before)])


def withdraw(person: Person, copy: FrozenCopy, reason: str) -> None:
    with transaction.atomic():
        stored = FrozenCopy.objects.select_for_update().get(pk=copy.pk)
        if stored.withdrawn:
            return
        # The owner may have hidden it from an editor since.
        if not may_withdraw(stored, person, timezone.now()):
            raise ChangedMeanwhile
        before = state_of(stored)
        stored.withdrawn = stored.changed = timezone.now()
        stored.withdrawn_by, stored.withdrawn_reason = person.name, reason
        _drop_body(stored)
        stored.save(update_fields=["withdrawn", "withdrawn_by", "withdrawn_reason", "changed"])
        record_changes(person.name, "withdrawn", [edit_of(stored, before)], "" if stored.audience == ME else reason)


def sweep() -> float:
    """Remove the content of some copies that have expired, and return the seconds until the next call."""
    over = FrozenCopy.objects.filter(expires__lte=timezone.now()).exclude(body=None)
    # Mostly there are none, and nothing is locked.
    found = list(over.values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for copy_id in found:
        with transaction.atomic():
            copy = FrozenCopy.objects.select_for_update().get(pk=copy_id)
            _drop_body(copy)
    return NEXT_BATCH_SECONDS if len(found) >= SWEPT_AT_ONCE else SWEEP_SECONDS


def _drop_body(copy: FrozenCopy) -> None:
    """Let go of the body, and delete it if no other copy has it."""
    sha256, copy.body = copy.body_id, None
    FrozenCopy.objects.filter(pk=copy.pk).update(body=None)
    # The lock comes first: others take or drop the same body one by one.
    body = Body.objects.select_for_update().filter(pk=sha256 or "").first()
    if body and not FrozenCopy.objects.filter(body=body).exists():
        body.delete()
