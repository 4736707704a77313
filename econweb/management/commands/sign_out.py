"""manage.py sign_out NAME: end every session of an account, the address of its feed, and its token."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.accounts.models import Session
from econweb.accounts.tokens import end_token
from econweb.watching.subscriptions import end_feed


class Command(BaseCommand):
    help = "End the sessions, feed and token of an account, as of a lost laptop. Its person may sign in again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        user = User.objects.filter(username=name).first()
        with transaction.atomic():
            sessions, _ = Session.objects.filter(user_id=user.pk).delete() if user else (0, {})
            before = {"sessions": sessions, "feeds": int(end_feed(name)), "tokens": int(end_token(name))}
            # A person whom a proxy names needs no account.
            if user is None and not any(before.values()):
                raise CommandError(f"There is no account {name!r}.")
            edit = Edit("sessions", name, name, before, dict.fromkeys(before, 0))
            record_changes(at_command_line(), "signed out", [edit])
        counts = ", ".join(f"{what} {number}" for what, number in before.items())
        self.stdout.write(f"Ended for {name}: {counts}.")
