"""The index of tags in the database: which categories and releases have which tags.

Each write is one transaction, but for the end of a rebuild, which deletes in several.
A rebuild has its own generation, and one statement puts it in place of the old one.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, Min, OuterRef

from econweb.label_book.lookup import known_numbers
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.models import EMPTY_ROOT, IndexedTag, OccurrenceBlock, TaggedOwner, TagIndexState, UnreadOwner
from econweb.search_index.tags import blocks
from econweb.search_index.tags.blocks import Block, TagFacts
from econweb.upstream import clock

# A service may send any text. Longer names are left out, since a shortened one is another tag.
MAX_NAME, MAX_GROUP, MAX_NOTES = 500, 100, 4000
MAX_GENERATION = 32_000


class Coverage(NamedTuple):
    """The numbers of known and of indexed categories and releases, and the time of the oldest fetch."""

    known: int
    read: int
    oldest: datetime | None


class State(NamedTuple):
    """The valid generation, and what changes whenever a tag or count does."""

    generation: int
    revision: int


def write(block: Block, generation: int | None = None) -> None:
    """Store the owners of a block in place of earlier ones; `generation` is that of a rebuild."""
    if not settings.ECON_MAY_STORE:
        return
    with transaction.atomic():
        state = _locked_state()
        place = state.generation if generation is None else generation
        packed = {name: pairs for name, pairs in block.packed().items() if len(name) <= MAX_NAME}
        keys, has_changed = _store_tags([block.facts[name] for name in packed])
        earlier = blocks.take_out(TaggedOwner.objects.filter(block.is_one_of_them(), generation=place))
        pairs = dict(zip(keys, packed.values(), strict=True))
        blocks.insert(block.owners, place, pairs)
        has_changed |= earlier != pairs
        if has_changed and place == state.generation:
            _save(state)


def remove(kind: str, number: int) -> None:
    """Remove a category or release, which the service no longer has."""
    with transaction.atomic():
        state = _locked_state()
        owners = TaggedOwner.objects.filter(kind=kind, number=number)
        if owners.exists():
            blocks.take_out(owners)
            _save(state)


def coverage() -> Coverage:
    """Return how many of the known categories and releases were read; cached pages ask for it each second."""
    return _count_owners(state(), label_revision(), current_minute())


@lru_cache(maxsize=1)
def _count_owners(valid: State, _labels: tuple[int, int], _minute: int) -> Coverage:
    owners = TaggedOwner.objects.filter(generation=valid.generation)
    found = owners.exclude(EMPTY_ROOT).aggregate(read=Count("id"), oldest=Min("fetched"))
    known = known_numbers() | {*owners.values_list("kind", "number")}
    known -= {*owners.filter(EMPTY_ROOT).values_list("kind", "number")}
    return Coverage(len(known), found["read"], found["oldest"])


def current_minute() -> int:
    """Return what changes once a minute: a reading without a new tag or count leaves the revision as it is."""
    return int(clock.steady() // 60)


def fetch_times(generation: int | None = None) -> dict[tuple[str, int], datetime]:
    """Return when each category and release of the index, or of a rebuild, was fetched."""
    owners = TaggedOwner.objects.filter(generation=state().generation if generation is None else generation)
    return {(kind, number): fetched for kind, number, fetched in owners.values_list("kind", "number", "fetched")}


def state() -> State:
    return State(*(TagIndexState.objects.values_list("generation", "revision").first() or (0, 0)))


def begin_rebuild(last: int = 0) -> int:
    """Return the generation of a new index beside the valid one; that of the `last` rebuild is dropped.

    Its number is not used again at once: a process that paused may still write to it.
    """
    with transaction.atomic():
        valid = _locked_state().generation
        _delete_all_but(valid)
    return max(valid, last) % MAX_GENERATION + 1


def publish(generation: int) -> int:
    """Put the new index in place of the old one; return the generation of that, whose rows stay."""
    with transaction.atomic():
        state = _locked_state()
        old_generation, state.generation = state.generation, generation
        _save(state)
    return old_generation


def remove_generation(generation: int) -> None:
    """Remove the rows of an old index, and tags that no other one has."""
    OccurrenceBlock.objects.filter(generation=generation).delete()
    TaggedOwner.objects.filter(generation=generation).delete()
    IndexedTag.objects.exclude(Exists(OccurrenceBlock.objects.filter(tag=OuterRef("pk")))).delete()


def remove_foreign(service: str) -> None:
    """Empty the index where nothing may be stored, or where another service than this one filled it."""
    stored = TagIndexState.objects.first()
    if stored is None and not TaggedOwner.objects.exists():
        return
    if stored and settings.ECON_MAY_STORE and stored.service == service:
        return
    with transaction.atomic():
        held = _locked_state()
        OccurrenceBlock.objects.all().delete()
        TaggedOwner.objects.all().delete()
        IndexedTag.objects.all().delete()
        UnreadOwner.objects.all().delete()
        held.service = service
        _save(held)


def _store_tags(tags: Iterable[TagFacts]) -> tuple[list[int], bool]:
    """Store tags that are new or have changed; return the key of each, and whether any has."""
    held = _stored_tags()
    wanted = [_shorten(tag) for tag in tags]
    changed = [tag for tag in wanted if tag.name not in held or held[tag.name][1:] != tag]
    if changed:
        rows = [IndexedTag(**tag._asdict()) for tag in sorted(changed)]
        IndexedTag.objects.bulk_create(
            rows, batch_size=1000, update_conflicts=True, unique_fields=["name"], update_fields=TagFacts._fields[1:]
        )
        held = _stored_tags()
    return [held[tag.name][0] for tag in wanted], bool(changed)


def _stored_tags() -> dict[str, tuple[Any, ...]]:
    """Return the key and the facts of every tag by name: to name those of a block would take longer."""
    return {row[1]: row for row in IndexedTag.objects.values_list("pk", *TagFacts._fields)}


def _shorten(tag: TagFacts) -> TagFacts:
    if len(tag.group_id) <= MAX_GROUP and len(tag.notes or "") <= MAX_NOTES:
        return tag
    return tag._replace(group_id=tag.group_id[:MAX_GROUP], notes=tag.notes and tag.notes[:MAX_NOTES])


def _delete_all_but(generation: int) -> None:
    OccurrenceBlock.objects.exclude(generation=generation).delete()
    TaggedOwner.objects.exclude(generation=generation).delete()


def _locked_state() -> TagIndexState:
    TagIndexState.objects.get_or_create(pk=1)
    return TagIndexState.objects.select_for_update().get(pk=1)


def _save(state: TagIndexState) -> None:
    state.revision = secrets.randbits(60)
    state.save()
