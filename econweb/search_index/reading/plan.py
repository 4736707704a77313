"""The plan of the reader: known categories and releases that the index lacks, or has in an old state."""

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from econweb.label_book import lookup as labels
from econweb.search_index.models import ReaderState, UnreadOwner
from econweb.search_index.tags import tag_index
from econweb.search_index.titles import title_index
from econweb.upstream import clock

Owner = tuple[str, int]
# Counts and popularity change once a day; a shorter time would spend the share for ever.
MAX_AGE = timedelta(days=1)
_NEVER, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass
class Plan:
    """Owners in the order in which they are read, and what the order is based on."""

    stamp: object = None
    due: deque[Owner] = field(default_factory=deque)
    # When the next owner is due that is not yet.
    next_due: datetime = _NEVER
    # The generation and the edition of a rebuild; None while owners are replaced one by one.
    generation: int | None = None
    edition: str = ""

    def is_valid(self) -> bool:
        return self.stamp == current_stamp() and (bool(self.due) or clock.utc_now() < self.next_due)


def current_stamp() -> tuple[object, str]:
    """Return what changes whenever there is something new to read."""
    return labels.revision(), edition()


def edition() -> str:
    """Return what the index of the embedded catalogue is valid for; empty for another service."""
    identity = "" if settings.ECON_BASE_URL else title_index.catalogue_identity()
    # Each day counts other versions of the series.
    return identity and f"{identity} {timezone.localdate()}"


def oldest_valid() -> datetime:
    """Return the time before which an answer of another service is read again."""
    return clock.utc_now() - max(MAX_AGE, timedelta(seconds=settings.ECON_FRESH_SECONDS))


def make_plan() -> Plan:
    stamp = current_stamp()
    _, wanted = stamp
    if not settings.ECON_BASE_URL:
        # Without a catalogue there is nothing to read.
        return _plan_catalogue(stamp, wanted) if wanted else Plan(stamp, next_due=_LAST)
    times, oldest = tag_index.fetch_times(), oldest_valid()
    return _plan(stamp, {owner: fetched + (clock.utc_now() - oldest) for owner, fetched in times.items()})


def _plan_catalogue(stamp: object, wanted: str) -> Plan:
    state, _ = ReaderState.objects.get_or_create(pk=1)
    generation = None if state.edition == wanted else _generation_of(wanted, state)
    plan = _plan(stamp, dict.fromkeys(tag_index.fetch_times(generation), _LAST))
    plan.generation, plan.edition = generation, wanted
    return plan


def _generation_of(wanted: str, state: ReaderState) -> int:
    """Return the generation of the rebuild for this edition, which an earlier process may have begun."""
    if state.rebuilding != wanted:
        with transaction.atomic():
            last = ReaderState.objects.select_for_update().get(pk=1).generation
            generation = tag_index.begin_rebuild(last)
            ReaderState.objects.filter(pk=1).update(rebuilding=wanted, generation=generation)
            # This catalogue may have what an earlier one lacked.
            UnreadOwner.objects.all().delete()
        return generation
    return state.generation


def _plan(stamp: object, due_at: dict[Owner, datetime]) -> Plan:
    """Plan the known owners: those never read first, then by the time at which they are due.

    Those of the index are known as well: the label of one that was read may be deleted.
    """
    owners = labels.known_numbers() | due_at.keys()
    for kind, number, retry_at in UnreadOwner.objects.values_list("kind", "number", "retry_at"):
        due_at[kind, number] = max(retry_at, due_at.get((kind, number), _NEVER))
    known = sorted((due_at.get(owner, _NEVER), owner) for owner in owners)
    due = deque(owner for at, owner in known if at <= clock.utc_now())
    return Plan(stamp, due, next_due=min((at for at, _ in known if at > clock.utc_now()), default=_LAST))
