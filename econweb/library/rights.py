"""The rights to see, change, hide and withdraw saved views and frozen copies; every page, file and list asks here."""

from datetime import datetime, timedelta

from django.db.models import Q

from econweb.accounts.people import Person, Role
from econweb.library.models import AUDIENCES, EVERYONE, ME, SIGNED_IN, FrozenCopy, SavedView

# Within this time the person who froze a copy may withdraw it, also if others may see it: they may have cited it later.
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


def may_edit(thing: SavedView | FrozenCopy, person: Person | None) -> bool:
    """Return whether the person may change title, note and audience: editors do so with what others may see."""
    if person is None or not may_see(thing, person):
        return False
    return _is_own(thing, person) or person.may(Role.EDITOR)


def may_withdraw(copy: FrozenCopy, person: Person | None, now: datetime) -> bool:
    if person is None or not may_edit(copy, person):
        return False
    return copy.audience == ME or person.may(Role.EDITOR) or now - copy.created < OWN_WITHDRAWAL


def problem_with_audience(thing: SavedView | FrozenCopy, audience: str, person: Person, now: datetime) -> str:
    """Return why a person that may change a view or copy may not choose this audience; empty where they may."""
    if audience == thing.audience:
        return ""
    if audience == ME and not _is_own(thing, person):
        return f"Only {thing.person} can keep this {'copy' if isinstance(thing, FrozenCopy) else 'view'} private."
    is_narrower = AUDIENCES.index(audience) < AUDIENCES.index(thing.audience)
    if is_narrower and isinstance(thing, FrozenCopy) and not may_withdraw(thing, person, now):
        return "Others may have cited this copy since. Ask an editor to show it to fewer people."
    return ""


def count_owned(name: str) -> int:
    """Return the number of views and copies that belong to the person of this name."""
    views = SavedView.objects.filter(person=name, removed=None).count()
    return views + FrozenCopy.objects.filter(person=name).count()


def _is_own(thing: SavedView | FrozenCopy, person: Person) -> bool:
    return thing.person == person.name
