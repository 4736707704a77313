"""Saved views: save, change, remove and restore one, and mark the day on which it was opened."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from econweb.accounts.changes import PRIVATE, Edit, State, record_changes
from econweb.accounts.people import Person
from econweb.library.concurrency import ChangedMeanwhile, lock_seen, take_turns
from econweb.library.models import ME, SavedView, new_id
from econweb.optional_write import write_unless_locked

# The kind of saved views in the record of changes.
KIND = "saved view"
MAX_VIEWS = 500
# Letters of a slug from the title, and random ones, so that no slug tells which others exist.
MAX_WORDS, RANDOM_LETTERS = 50, 4


class TooManyViews(Exception):
    """The person has as many saved views as one may have."""


@dataclass(frozen=True)
class Entry:
    """Title, note and audience of a view, as a person entered them, and whether it is pinned."""

    title: str
    note: str
    audience: str
    is_pinned: bool


def find(slug: str) -> SavedView | None:
    """Return the view, also a removed one."""
    return SavedView.objects.filter(pk=slug).first()


def entry_of(view: SavedView) -> Entry:
    return Entry(view.title, view.note, view.audience, view.is_pinned)


def save(person: Person, kind: str, target: str, entry: Entry) -> SavedView:
    now = timezone.now()
    view = SavedView(kind=kind, target=target, person=person.name, created=now, changed=now, **asdict(entry))
    with transaction.atomic():
        _check_room(person.name)
        view.slug = _new_slug(entry.title)
        view.save(force_insert=True)
        record_changes(person.name, "saved", [_edit(view, None, _state_of(view))])
    return view


def change(person: Person, slug: str, entry: Entry, seen: datetime | None) -> SavedView:
    """Store another entry for the view that the person saw as changed at `seen`."""
    with transaction.atomic():
        view = lock_seen(SavedView, slug, seen)
        before = _state_of(view)
        if entry != entry_of(view):
            for name, value in asdict(entry).items():
                setattr(view, name, value)
            view.changed = timezone.now()
            view.save(update_fields=[*asdict(entry), "changed"])
            record_changes(person.name, "changed", [_edit(view, before, _state_of(view))])
    return view


def remove(person: Person, slug: str, seen: datetime | None) -> None:
    with transaction.atomic():
        view = lock_seen(SavedView, slug, seen)
        before = _state_of(view)
        view.removed = view.changed = timezone.now()
        view.save(update_fields=["removed", "changed"])
        record_changes(person.name, "removed", [_edit(view, before, None)])


def restore(person: Person, slug: str, seen: datetime | None) -> SavedView:
    """Bring back, as it was, a view that the person saw as removed at `seen`."""
    with transaction.atomic():
        view = lock_seen(SavedView, slug, seen)
        if not view.removed:
            raise ChangedMeanwhile
        _check_room(view.person)
        view.removed, view.changed = None, timezone.now()
        view.save(update_fields=["removed", "changed"])
        record_changes(person.name, "restored", [_edit(view, None, _state_of(view))])
    return view


def is_marked(view: SavedView) -> bool:
    """Return whether the row says that the view was opened today, in UTC."""
    return view.opened == timezone.now().date()


def mark_opened(view: SavedView) -> None:
    """Store the day in UTC, once a day; where another writer prevents it, the next page does so."""
    if not is_marked(view):
        today = timezone.now().date()
        write_unless_locked(lambda: SavedView.objects.filter(pk=view.pk).update(opened=today))


def _check_room(owner: str) -> None:
    take_turns(SavedView, owner)
    if SavedView.objects.filter(person=owner, removed=None).count() >= MAX_VIEWS:
        raise TooManyViews


def _new_slug(title: str) -> str:
    """Return a slug that no view ever had: the rows of removed ones stay."""
    words = slugify(title.casefold())[:MAX_WORDS].strip("-_") or "view"
    while True:
        slug = f"{words}-{new_id(RANDOM_LETTERS)}"
        if not SavedView.objects.filter(pk=slug).exists():
            return slug


def _state_of(view: SavedView) -> State:
    """Return the fields that the record of changes shows: editors read it, and may not see every view."""
    if view.audience == ME:
        return {"audience": ME, "changed": view.changed.isoformat()}
    return {
        "title": view.title,
        "note": view.note,
        "audience": view.audience,
        "pinned": view.is_pinned,
        "target": view.target,
    }


def _edit(view: SavedView, before: State | None, after: State | None) -> Edit:
    """Return the edit for the record; of a private view it has no word of the title, which the slug has too."""
    key, title = (view.slug[-RANDOM_LETTERS:], PRIVATE) if view.audience == ME else (view.slug, view.title)
    return Edit(KIND, key, title, before, after)
