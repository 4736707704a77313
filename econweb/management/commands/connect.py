"""manage.py connect NAME SUBJECT: the account of a person that an OpenID provider signs in."""

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser
from django.db import IntegrityError, transaction

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.accounts.models import Identity
from econweb.accounts.names import OF_SITE
from econweb.accounts.oidc.id_token import SUBJECT
from econweb.management.commands.role import lock_account, refuse_ended
from econweb.ownership import hand_over, problem_with_account, problem_with_new_name
from econweb.quick_command import QuickCommand


class Command(QuickCommand):
    help = "Let the person with this subject at the OpenID provider have an account, or what was left without one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "subject", metavar="SUBJECT", help="the claim `sub`; the log has it with the refused sign-in"
        )
        parser.add_argument(
            "--same-person", action="store_true", help="give an account what an earlier person of its name left"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.SIGN_IN != "oidc":
            raise CommandError("This command is for sites with SIGN_IN=oidc.")
        if not re.fullmatch(SUBJECT, options["subject"]):
            # Nobody could sign in as it, and a list of people may lack it.
            raise CommandError(f"The subject of {options['name']} has to be 1 to 255 printable characters of ASCII.")
        try:
            with transaction.atomic():
                user = _find_or_create(options["name"], options["same_person"])
                _connect(user, options["subject"])
                hand_over(user)
        except IntegrityError:
            raise CommandError("This subject has an account already.") from None
        self.stdout.write(f"{user.username} signs in as {options['subject']} from now on, without a password.")


def _find_or_create(name: str, same_person: bool) -> User:
    user = lock_account(name)
    if user is None:
        return _create(name)
    refuse_ended(user)
    problem = problem_with_account(name)
    if problem and not same_person:
        raise CommandError(f"{problem.sentence} Add --same-person if it is the same person.")
    return user


def _create(name: str) -> User:
    """Create the account of a person who left something that has none."""
    problem = problem_with_new_name(name)
    if problem is None or problem.code == OF_SITE:
        raise CommandError(problem.sentence if problem else f"There is no account {name!r}.")
    return User.objects.create_user(name)


def _connect(user: User, subject: str) -> None:
    before = list(Identity.objects.filter(user=user, issuer=settings.OIDC_ISSUER).values_list("subject", flat=True))
    Identity.objects.filter(user=user).delete()
    Identity.objects.create(issuer=settings.OIDC_ISSUER, subject=subject, user=user)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    edit = Edit("identity", user.username, user.username, {"subject": ", ".join(before)}, {"subject": subject})
    record_changes(at_command_line(), "connected", [edit])
