"""The rights to see, change and withdraw saved views and frozen copies; every page, file and list asks here."""

from datetime import datetime, timedelta

from django.db.models import Q

from econweb.accounts.people import Person, Role
from econweb.library.models import EVERYONE, ME, SIGNED_IN, FrozenCopy, SavedView

# Within this time the person who froze a copy may withdraw it; others may have cited it afterwards.
OWN_WITHDRAWAL = timedelta(days=1)


def may_see(thing: SavedView | FrozenCopy, person: Person | None) -> bool:
    if thing.audience == EVERYONE:
        return True
    return person is not None and (thing.audience == SIGNED_IN or _is_own(thing, person) or person.may(Role.ADMIN))


def visible_to(person: Person | None) -> Q:
    """Return the condition of `may_see` for lists, searches and counts."""
    if person is None:
        return Q(audience=EVERYONE)
    return Q() if person.may(Role.ADMIN) else ~Q(audience=ME) | Q(person=person.name)


def name_has(word: str, person: Person | None) -> Q:
    """Return the condition that the name of the owner has this word; a stranger sees no names, and guesses none."""
    return Q(person__icontains=word) if person else Q(pk__in=[])


def may_edit(thing: SavedView | FrozenCopy, person: Person | None) -> bool:
    """Return whether the person may change title, note and audience: editors do so with what others may see."""
    if person is None or not may_see(thing, person):
        return False
    return _is_own(thing, person) or person.may(Role.EDITOR)


def may_withdraw(copy: FrozenCopy, person: Person | None, now: datetime) -> bool:
    if person is None or not may_edit(copy, person):
        return False
    return person.may(Role.EDITOR) or now - copy.created < OWN_WITHDRAWAL


def count_owned(name: str) -> int:
    """Return the number of views and copies that belong to the person of this name."""
    views = SavedView.objects.filter(person=name, removed=None).count()
    return views + FrozenCopy.objects.filter(person=name).count()


def _is_own(thing: SavedView | FrozenCopy, person: Person) -> bool:
    return thing.person == person.name
