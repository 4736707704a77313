"""manage.py sign_out NAME: end every session of an account, the address of its feed, and its token; or the account."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.accounts.models import Session
from econweb.accounts.people import has_passwords, may_sign_in
from econweb.accounts.tokens import end_token
from econweb.management.commands.role import lock_account, new_account
from econweb.ownership import problem_with_new_name
from econweb.quick_command import QuickCommand
from econweb.watching.subscriptions import end_feed


class Command(QuickCommand):
    help = "End the sessions, feed and token of an account, as of a lost laptop. Its person may sign in again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument(
            "--left",
            action="store_true",
            help="end the account as well, with its role, mails and looks: its person left",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        with transaction.atomic():
            user = lock_account(name)
            is_unknown = user is None and problem_with_new_name(name) is None
            if user is None and options["left"] and settings.SIGN_IN == "proxy":
                # A person whom a proxy names needs no account; this one says that the person has left.
                user = new_account(name)
            sessions, _ = Session.objects.filter(user__username=name).delete()
            before = {"sessions": sessions, "feeds": int(end_feed(name)), "tokens": int(end_token(name))}
            if user is None and not any(before.values()):
                raise CommandError(f"There is no account {name!r}.")
            edit = Edit("sessions", name, name, before, dict.fromkeys(before, 0))
            record_changes(at_command_line(), "signed out", [edit])
            if user and options["left"]:
                _end_account(user)
        counts = ", ".join(f"{what} {number}" for what, number in before.items())
        self.stdout.write(f"Ended for {name}: {counts}{', and the account' if user and options['left'] else ''}.")
        if user and has_passwords() and may_sign_in(user):
            self.stdout.write(f"An open invitation stays valid for its week, or until {name} signs in.")
        if is_unknown and not any(before.values()):
            self.stdout.write(
                f"Nothing had that name: check its spelling. From now on nobody may use {name!r}; "
                "manage.py role NAME reader --returned allows it again."
            )


def _end_account(user: User) -> None:
    """Switch an account off, and record it. Where a proxy names people, an account says only that one has left."""
    before = {"active": user.is_active} if user.pk else None
    user.is_active = False
    # An invitation holds while the password stays as it is: one that is open is not valid when the person is back.
    user.set_unusable_password()
    user.save(update_fields=["is_active", "password"] if user.pk else None)
    edit = Edit("account", user.username, user.username, before, {"active": False})
    record_changes(at_command_line(), "changed" if before else "added", [edit])
