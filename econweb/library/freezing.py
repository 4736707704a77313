"""Freeze a view: what it shows now, with the digests that prove it later."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from econweb.accounts.changes import PRIVATE, Edit, State, record_changes
from econweb.accounts.people import Person
from econweb.library import canonical
from econweb.library.canonical import Record
from econweb.library.concurrency import take_turns, take_turns_of_all
from econweb.library.models import ME, Body, FrozenCopy, new_id
from econweb.library.row_rules import find_fault, has_odd_letters

# The kind of copies in the record of changes.
KIND = "frozen copy"
MAX_COPIES = 200
MAX_BODY_BYTES = 1024 * 1024
MEGABYTE = 1_000_000
# A body of more than this is refused before it is packed.
MAX_CANONICAL_BYTES = 16 * MAX_BODY_BYTES


class CannotFreeze(Exception):
    """The copy would pass a bound of the library, or break a rule of its rows; the message says which."""


@dataclass(frozen=True)
class Draft:
    """Title, reason, audience and duration of a copy, as a person entered them."""

    title: str
    reason: str
    audience: str
    # None if it is kept for ever.
    days: int | None = None


@dataclass(frozen=True)
class Content:
    """The complete set of records behind a view, those of the view, and where they come from."""

    kind: str
    target: str
    records: Sequence[Record]
    view: Sequence[Record]
    realtime_start: date
    realtime_end: date
    fetched: datetime
    # Why the service could not be asked again, where the answer is an old one.
    failure: str = ""
    series: int | None = None
    warnings: Sequence[str] = ()
    missing: Sequence[str] = ()
    # Those of them that the service says it does not have.
    gone: Sequence[str] = ()
    # Those of them that could not be loaded for now.
    failed: Sequence[str] = ()
    is_complete: bool = True
    is_sample: bool = False
    # The name of the category or release in the label book.
    owner_name: str = ""

    @cached_property
    def lines(self) -> bytes:
        """The canonical form of all records."""
        return canonical.write_lines(self.records)

    @cached_property
    def sha256(self) -> str:
        return canonical.digest(self.lines)


def freeze(person: Person, draft: Draft, content: Content) -> FrozenCopy:
    """Store a copy, or raise CannotFreeze. Where nothing of the service may be stored, only its digests are."""
    copy = _describe(person, draft, content)
    if fault := find_fault(copy):
        raise CannotFreeze(f"This view cannot be frozen as the data provider sent it. {fault}")
    packed = _pack(content.lines) if settings.ECON_MAY_STORE else None
    with transaction.atomic():
        take_turns(FrozenCopy, person.name)
        if FrozenCopy.objects.kept().filter(person=person.name).count() >= MAX_COPIES:
            raise CannotFreeze(
                f"You have {MAX_COPIES} frozen copies. Withdraw a private one, or ask an editor to withdraw another."
            )
        copy.body = _store_body(copy.sha256, packed) if packed is not None else None
        copy.save(force_insert=True)
        reason = "" if copy.audience == ME else draft.reason
        record_changes(person.name, "frozen", [edit_of(copy, None)], reason)
    return copy


def _describe(person: Person, draft: Draft, content: Content) -> FrozenCopy:
    """Return the row of a copy without its content, not stored yet."""
    now = timezone.now()
    is_whole_view = len(content.view) == len(content.records)
    return FrozenCopy(
        id=new_id(),
        title=draft.title,
        reason=draft.reason,
        kind=content.kind,
        target=content.target,
        person=person.name,
        audience=draft.audience,
        created=now,
        changed=now,
        expires=now + timedelta(days=draft.days) if draft.days else None,
        service=settings.ECON_BASE_URL,
        realtime_start=content.realtime_start,
        realtime_end=content.realtime_end,
        fetched=content.fetched,
        series=content.series,
        warnings=_join_lines(content.warnings),
        missing=_join_lines(content.missing),
        is_complete=content.is_complete,
        is_sample=content.is_sample,
        # A name that no line may have is none.
        owner_name="" if has_odd_letters(content.owner_name) else content.owner_name,
        form=canonical.FORM,
        rows=len(content.records),
        sha256=content.sha256,
        view_rows=len(content.view),
        view_sha256=content.sha256 if is_whole_view else canonical.digest(canonical.write_lines(content.view)),
    )


def edit_of(copy: FrozenCopy, before: State | None) -> Edit:
    return Edit(KIND, copy.id, PRIVATE if copy.audience == ME else copy.title, before, state_of(copy))


def state_of(copy: FrozenCopy) -> State:
    """Return the fields of a copy that the record of changes shows: editors read it, and may not see every copy."""
    if copy.audience == ME:
        # No digest: an editor could freeze what it may be, and compare.
        return {"audience": ME, "withdrawn": bool(copy.withdrawn), "changed": copy.changed.isoformat()}
    return {
        "title": copy.title,
        "reason": copy.reason,
        "audience": copy.audience,
        "expires": str(copy.expires.date()) if copy.expires else "",
        "target": copy.target,
        "sha256": copy.sha256,
        "withdrawn": copy.withdrawn_reason,
    }


def _join_lines(texts: Sequence[str]) -> str:
    """Join texts of the service, which may have line ends of their own."""
    return "\n".join(" ".join(text.split()) for text in texts)


def _pack(lines: bytes) -> bytes:
    packed = zlib.compress(lines) if len(lines) <= MAX_CANONICAL_BYTES else b""
    if not packed or len(packed) > MAX_BODY_BYTES:
        raise CannotFreeze("This view is too large to be frozen: a copy has at most 1 MiB. Narrow the view.")
    return packed


def count_bytes() -> int:
    return Body.objects.aggregate(bytes=Sum("size"))["bytes"] or 0


def _store_body(sha256: str, packed: bytes) -> Body:
    """Return the body with these records; equal ones are stored once."""
    take_turns_of_all()
    if stored := Body.objects.select_for_update().filter(pk=sha256).first():
        return stored
    if count_bytes() + len(packed) > settings.LIBRARY_MAX_MB * MEGABYTE:
        raise CannotFreeze(f"The library is full: it has {settings.LIBRARY_MAX_MB} MB. Ask the administrator.")
    return Body.objects.create(sha256=sha256, packed=packed, size=len(packed))
