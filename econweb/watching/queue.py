"""The queue of looks: rows of watched sources, which a process claims by a conditional UPDATE and holds by a lease.

The result of a look is one transaction, on condition that the lease is still held: a kill before its end leaves the
row to another process, which looks again, and after its end everything is stored.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import BinaryField, F, Q, QuerySet
from django.db.models.functions import Substr

from econweb.watching.facts import HASHED, PLAIN, pack, unpack_plain
from econweb.watching.filters import lets_through
from econweb.watching.judge import ConfirmedChange, Look, Memory, Verdict
from econweb.watching.models import Announcement, ChangedFact, Watch, WatchedSource

# A look takes one timeout of the service. The source of a killed process waits for the end of the lease.
LEASE = timedelta(minutes=5)
# Between two removals of what may not be stored: another host may still have its old settings.
FORGET_SECONDS = 3600.0
# Facts of one announcement that are stored; the others are counted.
MAX_STORED_FACTS = 1000
_MAX_TRIES = 20


def is_due(now: datetime) -> bool:
    return WatchedSource.objects.filter(_is_free(now), due__lte=now).exists()


def next_person(now: datetime, last: str) -> str:
    """Return the person after the last one, by name, who follows something that is due; empty for none."""
    waiting = WatchedSource.objects.filter(_is_free(now), due__lte=now)
    people = Watch.objects.filter(sources__in=waiting).order_by("person").values_list("person", flat=True)
    return people.filter(person__gt=last).first() or people.first() or ""


def claim(now: datetime, person: str = "") -> WatchedSource | None:
    """Claim the source that has been due for the longest time, of the person or of all.

    Return None where nothing is due, or others are faster.
    """
    of_person = Q(watch__person=person) if person else Q()
    for _ in range(_MAX_TRIES):
        waiting = WatchedSource.objects.filter(_is_free(now), of_person, due__lte=now).order_by("due", "pk")
        row = waiting.values("pk", "due").first()
        if row is None:
            return None
        # A name for each claim, which tells a late look of the same process from a new one.
        holder = secrets.token_hex(16)
        free = WatchedSource.objects.filter(_is_free(now), pk=row["pk"], due=row["due"])
        if free.update(holder=holder, held_until=now + LEASE):
            return WatchedSource.objects.filter(pk=row["pk"], holder=holder).first()
    return None


def memory_of(row: WatchedSource) -> Memory:
    """Return what is known of the source: nothing from another service, or from an older form of facts."""
    if row.service != settings.ECON_BASE_URL:
        return Memory()
    return Memory(_look(row.state, row.state_at), _look(row.candidate, row.candidate_at), row.interval)


def finish(row: WatchedSource, verdict: Verdict, now: datetime) -> bool:
    """Store the result of a look with its announcement; False if the lease has ended, or nobody follows any more."""
    memory = verdict.memory
    with transaction.atomic():
        stored = _held(row, now).update(
            service=settings.ECON_BASE_URL,
            due=verdict.due,
            interval=memory.interval,
            state=memory.confirmed.state if memory.confirmed else None,
            state_at=memory.confirmed.at if memory.confirmed else None,
            candidate=memory.candidate.state if memory.candidate else None,
            candidate_at=memory.candidate.at if memory.candidate else None,
            failures=0,
            failure="",
            **_RELEASED,
        )
        if stored and verdict.change:
            _announce(row, verdict.change)
    if not stored:
        release(row)
    return bool(stored)


def postpone(row: WatchedSource, due: datetime, failure: str, now: datetime) -> None:
    """Note that a look failed. What is known of the source stays as it was."""
    delay(row, due, now, failures=F("failures") + 1, failure=failure[:50])


def delay(row: WatchedSource, due: datetime, now: datetime, **fields: Any) -> None:
    """Give the source back with another time for its next look."""
    if not _held(row, now).update(due=due, **fields, **_RELEASED):
        release(row)


def release(row: WatchedSource) -> None:
    """Give the source back as if nobody had looked."""
    WatchedSource.objects.filter(pk=row.pk, holder=row.holder).update(**_RELEASED)


def forget_texts() -> float:
    """Reduce states to fingerprints, and remove the facts of news: nothing may be stored any more."""
    ChangedFact.objects.all().delete()
    forms = {f"{name}_form": Substr(name, 1, 1, output_field=BinaryField()) for name in ("state", "candidate")}
    plain_rows = WatchedSource.objects.annotate(**forms).filter(Q(state_form=PLAIN) | Q(candidate_form=PLAIN))
    for number in list(plain_rows.values_list("pk", flat=True)):
        with transaction.atomic():
            for row in WatchedSource.objects.select_for_update().filter(pk=number):
                states = {"state": bytes(row.state or b""), "candidate": bytes(row.candidate or b"")}
                plain = {name: unpack_plain(state) for name, state in states.items() if state[:1] == PLAIN}
                hashed = {name: pack(facts, is_plain=False) for name, facts in plain.items()}
                WatchedSource.objects.filter(pk=number).update(**hashed)
    return FORGET_SECONDS


_RELEASED = {"holder": "", "held_until": None}


def _is_free(now: datetime) -> Q:
    # A lease that ends too late was written by a clock that was wrong.
    return Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=now + 2 * LEASE)


def _held(row: WatchedSource, now: datetime) -> QuerySet[WatchedSource]:
    return WatchedSource.objects.filter(pk=row.pk, holder=row.holder, held_until__gt=now, due__isnull=False)


def _look(state: "bytes | memoryview[int] | None", at: datetime | None) -> Look | None:
    # PostgreSQL returns a view of memory.
    packed = bytes(state or b"")
    return Look(packed, at) if at and packed[:1] in {PLAIN, HASHED} else None


def _announce(row: WatchedSource, change: ConfirmedChange) -> None:
    """Store an announcement, and attach it to each watch whose filters let one of its facts through."""
    difference = change.difference
    found = Announcement.objects.create(
        source_id=row.pk,
        kind=difference.kind,
        before=change.before,
        seen=change.seen,
        confirmed=change.confirmed,
        facts=difference.count,
    )
    # The confirmed state may be from the time when texts were allowed.
    stored = difference.changes[:MAX_STORED_FACTS] if settings.ECON_MAY_STORE else ()
    ChangedFact.objects.bulk_create(
        [ChangedFact(announcement=found, **fact._asdict()) for fact in stored], batch_size=100
    )
    hearing = [
        one
        for one in Watch.objects.filter(sources=row.pk)
        if difference.is_partly_known or lets_through(one.kind, one.target, difference.known, difference.notes)
    ]
    link = Watch.news.through
    link.objects.bulk_create([link(watch_id=one.pk, announcement_id=found.pk) for one in hearing], batch_size=100)
