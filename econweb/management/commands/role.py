"""manage.py role NAME reader|editor|admin: what an account may do."""

import shlex
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.accounts.names import problem_of_site
from econweb.accounts.people import EDITORS_GROUP, Role, has_passwords, may_sign_in, role_of
from econweb.accounts.proxy_headers import find_fault
from econweb.ownership import hand_over
from econweb.quick_command import QuickCommand


class Command(QuickCommand):
    help = "Make an account a reader, an editor (who changes names) or an admin (who also manages accounts)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("role", choices=[role.name.lower() for role in Role])
        parser.add_argument("--returned", action="store_true", help="open an ended account again: its person is back")

    def handle(self, *args: Any, **options: Any) -> None:
        role = Role[options["role"].upper()]
        with transaction.atomic():
            user = lock_account(options["name"]) or _new_person(options["name"])
            if not options["returned"]:
                refuse_ended(user, role)
            _take_back(user)
            set_role(user, role)
            if settings.SIGN_IN == "proxy":
                # The person whom the proxy names so is the one that the account is for.
                hand_over(user)
        found = role_of(user)
        if found > role:
            said = f"The settings EDITORS or ADMINS name {user.username}, who stays {_with_article(found)}."
        else:
            said = f"{user.username} is now {_with_article(found)}."
        self.stdout.write(said)
        if options["returned"] and has_passwords() and may_sign_in(user) and not user.has_usable_password():
            self.stdout.write(
                f"A new password is chosen at a link: {shlex.join(['manage.py', 'invite', user.username])}"
            )


def lock_account(name: str) -> User | None:
    """Return the account, which others change only after this transaction; None where there is none."""
    return User.objects.select_for_update().filter(username=name).first()


def _new_person(name: str) -> User:
    """Return an account of a person whom a proxy names; elsewhere people have one before they have a role."""
    if settings.SIGN_IN != "proxy":
        how = "Its person signs in first." if settings.SIGN_IN == "oidc" else "Make one: manage.py invite NAME"
        raise CommandError(f"There is no account {name!r}. {how}")
    return new_account(name)


def refuse_ended(user: User, role: Role = Role.READER) -> None:
    """Raise CommandError, with the way back, if somebody has ended the account."""
    if not user.is_active:
        back = shlex.join(["manage.py", "role", user.username, role.name.lower(), "--returned"])
        raise CommandError(f"The account of {user.username} has ended. If the person is back: {back}")


def _take_back(user: User) -> None:
    """Switch an account on again, and record it; the caller stores it in the same transaction."""
    before, user.is_active = {"active": user.is_active}, True
    record_changes(
        at_command_line(), "changed", [Edit("account", user.username, user.username, before, {"active": True})]
    )


def set_role(user: User, role: Role) -> None:
    """Give an account a role, and record it; one that is not stored yet is stored."""
    with transaction.atomic():
        before = {"role": role_of(user).name.lower()} if user.pk else None
        user.is_superuser = user.is_staff = role == Role.ADMIN
        user.save(update_fields=["is_active", "is_staff", "is_superuser"] if user.pk else None)
        group, _ = Group.objects.get_or_create(name=EDITORS_GROUP)
        if role == Role.EDITOR:
            user.groups.add(group)
        else:
            user.groups.remove(group)
        edit = Edit("role", user.username, user.username, before, {"role": role_of(user).name.lower()})
        record_changes(at_command_line(), "changed" if before else "invited", [edit])


def new_account(name: str) -> User:
    """Return an account without a password, not stored yet."""
    if problem := problem_of_site(name):
        raise CommandError(problem.sentence)
    user = User(username=name)
    user.set_unusable_password()
    if settings.SIGN_IN == "proxy":
        # Django's rule is for names that people choose here.
        if fault := find_fault(name) if name else "it is empty":
            raise CommandError(f"The proxy cannot name {name!r}: {fault}.")
        return user
    if not name:
        raise CommandError("The name is empty. Enter one, such as: manage.py invite ada")
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from None
    return user


def _with_article(role: Role) -> str:
    return f"{'a' if role == Role.READER else 'an'} {role.name.lower()}"
