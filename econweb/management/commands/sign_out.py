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
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            if any([end_feed(options["name"]), end_token(options["name"])]):
                # A person whom a proxy names needs no account.
                self.stdout.write(f"The feed and the token of {options['name']} have ended.")
                return
            raise CommandError(f"There is no account {options['name']!r}.")
        with transaction.atomic():
            ended, _ = Session.objects.filter(user_id=user.pk).delete()
            end_feed(user.username)
            end_token(user.username)
            edit = Edit("sessions", user.username, user.username, {"sessions": ended}, {"sessions": 0})
            record_changes(at_command_line(), "signed out", [edit])
        self.stdout.write(f"Sessions of {user.username} that ended: {ended}.")
