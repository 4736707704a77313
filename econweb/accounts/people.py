"""The person behind a request, and what a person of each role may do."""

from dataclasses import dataclass
from enum import IntEnum
from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest

# Django's group of the accounts that `manage.py role NAME editor` names.
EDITORS_GROUP = "editors"


class Role(IntEnum):
    READER = 1
    EDITOR = 2
    ADMIN = 3


# The least role that has each right.
EDIT_NAMES = SEE_CHANGES = Role.EDITOR


@dataclass(frozen=True)
class Person:
    name: str
    role: Role

    def may(self, right: Role) -> bool:
        """Decide every right, for pages, fragments, files and commands."""
        return self.role >= right


LOCAL_EDITOR = Person("local editor", Role.EDITOR)


def person_of(request: HttpRequest) -> Person | None:
    """Return the person that sends the request; None for a reader without an account."""
    user = getattr(request, "user", None)
    if user and user.is_authenticated:
        return Person(user.get_username(), role_of(user))
    return LOCAL_EDITOR if settings.SIGN_IN == "local" and _is_from_this_machine(request) else None


def role_of(user: AbstractUser) -> Role:
    """Return the role of an account: the highest of those that settings and commands give it."""
    names = {user.get_username(), user.email} - {""}
    if user.is_superuser or names & {*settings.ADMIN_NAMES}:
        return Role.ADMIN
    if names & {*settings.EDITOR_NAMES} or user.groups.filter(name=EDITORS_GROUP).exists():
        return Role.EDITOR
    return Role.READER


def _is_from_this_machine(request: HttpRequest) -> bool:
    """A client elsewhere may send any host name, if the administrator has the server listen to the network."""
    try:
        return ip_address(str(request.META.get("REMOTE_ADDR", ""))).is_loopback
    except ValueError:
        return False
