"""The index of tags in the database: which categories and releases have which tags.

Each write is one transaction. A rebuild has its own generation, and one statement puts it in place of the old one.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Exists, Min, OuterRef

from econweb.label_book.lookup import known_numbers
from econweb.search_index.models import IndexedTag, Occurrence, TaggedOwner, TagIndexState, UnreadOwner
from econweb.upstream.records import Tag

# A share of 1, of a tag and of an owner's series.
WHOLE, WHOLE_OF_OWNER = 1_000_000, 10_000
# A service may send any text. Longer names are left out, since a shortened one is another tag.
MAX_NAME, MAX_GROUP, MAX_NOTES = 500, 100, 4000
MAX_GENERATION = 32_000
FREQUENCIES = ("daily", "weekly", "monthly", "quarterly", "annual")
UNADJUSTED, DISCONTINUED = "nsa", "discontinued"
OCCURRENCES = Occurrence._meta.db_table
_DETAILS = ["group_id", "popularity", "notes"]


class Coverage(NamedTuple):
    """The numbers of known and of indexed categories and releases, and the time of the oldest fetch."""

    known: int
    read: int
    oldest: datetime | None


class State(NamedTuple):
    """The valid generation, and what changes whenever a tag or count does."""

    generation: int
    revision: int


def record(  # noqa: PLR0913  the fields of one answer, and where it belongs
    kind: str,
    number: int,
    tags: Sequence[Tag],
    series: int | None,
    fetched: datetime,
    *,
    generation: int | None = None,
) -> None:
    """Store the tags of a category or release in place of earlier ones; `generation` is that of a rebuild."""
    if not settings.ECON_MAY_STORE:
        return
    kept = {tag.name: tag for tag in sorted(tags, key=_by_count) if len(tag.name) <= MAX_NAME}
    whole = series or max((tag.series_count for tag in kept.values()), default=0)
    with transaction.atomic():
        state = _locked_state()
        owner, _ = TaggedOwner.objects.update_or_create(
            generation=state.generation if generation is None else generation,
            kind=kind,
            number=number,
            defaults={"fetched": fetched, "tags": len(tags), "series": series, **_shares(kept, whole)},
        )
        ids, has_changed = _store_tags(kept)
        counts = {ids[name]: tag.series_count for name, tag in kept.items()}
        if counts != dict(Occurrence.objects.filter(owner=owner).values_list("tag_id", "series_count")):
            Occurrence.objects.filter(owner=owner).delete()
            _insert((owner.pk, tag, count, _share(count, whole, WHOLE)) for tag, count in sorted(counts.items()))
            has_changed = True
        if has_changed and owner.generation == state.generation:
            _save(state)


def remove(kind: str, number: int) -> None:
    """Remove a category or release, which the service no longer has."""
    with transaction.atomic():
        state = _locked_state()
        if TaggedOwner.objects.filter(kind=kind, number=number).delete()[0]:
            _save(state)


def coverage() -> Coverage:
    owners = TaggedOwner.objects.filter(generation=state().generation)
    found = owners.aggregate(read=Count("id"), oldest=Min("fetched"))
    known = known_numbers() | {*owners.values_list("kind", "number")}
    return Coverage(len(known), found["read"], found["oldest"])


def fetch_times(generation: int | None = None) -> dict[tuple[str, int], datetime]:
    """Return when each category and release of the index, or of a rebuild, was fetched."""
    owners = TaggedOwner.objects.filter(generation=state().generation if generation is None else generation)
    return {(kind, number): fetched for kind, number, fetched in owners.values_list("kind", "number", "fetched")}


def state() -> State:
    return State(*(TagIndexState.objects.values_list("generation", "revision").first() or (0, 0)))


def begin_rebuild() -> int:
    """Return the generation of a new index beside the valid one; another that was begun is dropped."""
    with transaction.atomic():
        valid = _locked_state().generation
        _delete_all_but(valid)
    return valid % MAX_GENERATION + 1


def finish_rebuild(generation: int) -> None:
    """Put the new index in place of the old one, whose rows are removed afterwards."""
    TagIndexState.objects.filter(pk=1).update(generation=generation, revision=secrets.randbits(60))
    _delete_all_but(generation)
    IndexedTag.objects.exclude(Exists(Occurrence.objects.filter(tag=OuterRef("pk")))).delete()


def remove_foreign(service: str) -> None:
    """Empty the index where nothing may be stored, or where another service than this one filled it."""
    is_allowed = settings.ECON_MAY_STORE
    stored = TagIndexState.objects.first()
    if (stored is None and not TaggedOwner.objects.exists()) or (stored and is_allowed and stored.service == service):
        return
    with transaction.atomic():
        held = _locked_state()
        Occurrence.objects.all().delete()
        TaggedOwner.objects.all().delete()
        IndexedTag.objects.all().delete()
        UnreadOwner.objects.all().delete()
        held.service = service
        _save(held)


def _by_count(tag: Tag) -> int:
    return tag.series_count


def _share(part: int, whole: int, scale: int) -> int:
    return round(scale * min(part / whole, 1)) if whole else 0


def _shares(tags: Mapping[str, Tag], whole: int) -> dict[str, int]:
    """Return the shares of an owner by the fields that have them."""
    counts = {name: tags[name].series_count if name in tags else 0 for name in (*FREQUENCIES, DISCONTINUED)}
    counts["adjusted"] = sum(tag.series_count for tag in tags.values() if _is_adjusted(tag))
    return {name: _share(count, whole, WHOLE_OF_OWNER) for name, count in counts.items()}


def _is_adjusted(tag: Tag) -> bool:
    return tag.group_id == "seas" and tag.name != UNADJUSTED


def _store_tags(tags: Mapping[str, Tag]) -> tuple[dict[str, int], bool]:
    """Store tags that are new or have changed; return the key of each, and whether any has."""
    wanted = {name: _details(tag) for name, tag in tags.items()}
    # Tuples: models of 1,000 tags would take 5 ms.
    rows = IndexedTag.objects.filter(name__in=wanted).values_list("name", "pk", *_DETAILS)
    held = {name: (key, details) for name, key, *details in rows}
    changed = [
        IndexedTag(name=name, **details)
        for name, details in sorted(wanted.items())
        if name not in held or held[name][1] != [*details.values()]
    ]
    keys = {name: key for name, (key, _) in held.items()}
    if not changed:
        return keys, False
    IndexedTag.objects.bulk_create(
        changed, batch_size=1000, update_conflicts=True, unique_fields=["name"], update_fields=_DETAILS
    )
    new = [one.name for one in changed if one.name not in held]
    added = IndexedTag.objects.filter(name__in=new).values_list("name", "pk")
    return keys | dict(added), True


def _details(tag: Tag) -> dict[str, str | int | None]:
    notes = tag.notes[:MAX_NOTES] if tag.notes else tag.notes
    return {"group_id": tag.group_id[:MAX_GROUP], "popularity": tag.popularity, "notes": notes}


def _insert(rows: Iterable[tuple[int, int, int, int]]) -> None:
    """Insert occurrences; models would take three times as long."""
    columns = "(owner_id, tag_id, series_count, share)"
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {OCCURRENCES} {columns} VALUES (%s, %s, %s, %s)", [*rows])  # noqa: S608


def _delete_all_but(generation: int) -> None:
    Occurrence.objects.exclude(owner__generation=generation).delete()
    TaggedOwner.objects.exclude(generation=generation).delete()


def _locked_state() -> TagIndexState:
    TagIndexState.objects.get_or_create(pk=1)
    return TagIndexState.objects.select_for_update().get(pk=1)


def _save(state: TagIndexState) -> None:
    state.revision = secrets.randbits(60)
    state.save()
