"""The person behind a request, and what a person of each role may do."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest

from econweb.accounts.client_address import client_address, is_loopback
from econweb.accounts.names import LOCAL_EDITOR_NAME
from econweb.accounts.proxy_headers import named_person

# Django's group of the accounts that `manage.py role NAME editor` names.
EDITORS_GROUP = "editors"


class Role(IntEnum):
    READER = 1
    EDITOR = 2
    ADMIN = 3


# The least role that has each right.
EDIT_NAMES = SEE_CHANGES = Role.EDITOR
SEE_ACCOUNTS = Role.ADMIN


@dataclass(frozen=True)
class Person:
    name: str
    role: Role

    def may(self, right: Role) -> bool:
        """Return whether the role has this right. For one saved view or frozen copy, ask `library/rights.py`."""
        return self.role >= right


LOCAL_EDITOR = Person(LOCAL_EDITOR_NAME, Role.EDITOR)


def person_of(request: HttpRequest) -> Person | None:
    """Return the person that sends the request; None for a reader without an account."""
    if settings.SIGN_IN == "proxy":
        named = named_person(request.META)
        return Person(named.name, _role_of_named(named.name, named.groups)) if named else None
    user = getattr(request, "user", None)
    if is_from_elsewhere(request):
        return None
    if user and user.is_authenticated and may_sign_in(user):
        return Person(user.get_username(), role_of(user, _groups_of_session(request)))
    return LOCAL_EDITOR if settings.SIGN_IN == "local" else None


def visitor_of(meta: Mapping[str, Any]) -> str:
    """Return who shares the rate limit with others: the person that a proxy names, or the client's address."""
    named = named_person(meta) if settings.SIGN_IN == "proxy" else None
    return visitor_named(named.name) if named else client_address(meta)


def visitor_named(name: str) -> str:
    return f"person {name}"


def role_of(user: User, groups: Set[str] = frozenset()) -> Role:
    """Return the role of an account: the highest of those that settings, commands and groups give it."""
    names = {user.get_username(), user.email}
    if settings.SIGN_IN == "oidc":
        # At a provider people may choose a name that looks like the mail address of somebody else.
        names = {name for name in names if "@" not in name or name == user.email}
    by_settings = role_by_settings(names, groups)
    if user.is_superuser:
        return Role.ADMIN
    return max(by_settings, Role.EDITOR if user.groups.filter(name=EDITORS_GROUP).exists() else Role.READER)


def role_by_settings(names: Set[str], groups: Set[str] = frozenset()) -> Role:
    """Return the role that the settings give to a person of these names, in these groups."""
    if names & {*settings.ADMIN_NAMES} or groups & {*settings.ADMIN_GROUPS}:
        return Role.ADMIN
    return Role.EDITOR if names & {*settings.EDITOR_NAMES} or groups & {*settings.EDITOR_GROUPS} else Role.READER


def _groups_of_session(request: HttpRequest) -> Set[str]:
    """Return the groups that an OpenID provider named at the sign-in."""
    return frozenset(request.session.get("groups", ())) if settings.SIGN_IN == "oidc" else frozenset()


def _role_of_named(name: str, groups: Set[str]) -> Role:
    """Return the role of a person whom another program signed in; `manage.py role` may have given a higher one."""
    user = User.objects.filter(username=name, is_active=True).first()
    return max(role_by_settings({name}, groups), role_of(user) if user else Role.READER)


def has_passwords() -> bool:
    """Return whether people sign in here, with an account of this site."""
    return settings.SIGN_IN in {"local", "password"}


def may_sign_in(user: User) -> bool:
    """Return whether a person may sign in with the account; with SIGN_IN=local only to Django's admin."""
    return user.is_active and (user.is_staff or settings.SIGN_IN != "local")


def account_of(person: str) -> int | None:
    """Return the id of the person's account; None for the local editor, and for most people whom a proxy names."""
    user = User.objects.filter(username=person).first()
    return user.pk if user else None


def of_person(person: str) -> Q:
    """Return the condition of rows that hold an account and belong to a person who is signed in.

    A new account of the name has none of those that an earlier one left.
    """
    own = Q(person=person, account=account_of(person))
    return own | Q(person=person, account=None) if settings.SIGN_IN == "proxy" else own


def of_active_people() -> Q:
    """Return the condition that the person whom a row names may sign in, by the rule of `may_sign_in`."""
    named = User.objects.filter(username=OuterRef("person"))
    if settings.SIGN_IN == "proxy":
        # The proxy knows its people; an account of the name only says here that the person has left.
        return ~Q(Exists(named.filter(is_active=False)))
    if settings.SIGN_IN == "local":
        return Q(person=LOCAL_EDITOR.name) | Q(Exists(named.filter(is_active=True, is_staff=True)))
    return Q(Exists(named.filter(is_active=True)))


def of_same_people() -> Q:
    """Return the same condition for rows that hold an account, by the rule of `of_person`."""
    of_account = Q(Exists(User.objects.filter(username=OuterRef("person"), pk=OuterRef("account"))))
    if settings.SIGN_IN == "proxy":
        return of_active_people() & (of_account | Q(account=None))
    if settings.SIGN_IN == "local":
        return of_active_people() & (of_account | Q(account=None, person=LOCAL_EDITOR.name))
    return of_active_people() & of_account


def is_from_elsewhere(request: HttpRequest) -> bool:
    """Return whether another machine sends the request to a site that SIGN_IN=local keeps for this one.

    It may send any host name, if the administrator has the server listen to the network.
    """
    return settings.SIGN_IN == "local" and not is_loopback(str(request.META.get("REMOTE_ADDR", "")))
