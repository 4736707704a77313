"""manage.py api_key create LABEL | list | revoke LABEL: the clients of the embedded service."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import IntegrityError, transaction

from econweb.accounts.changes import Edit, at_command_line, record_changes
from econweb.catalogue import access
from econweb.catalogue.models import ApiKey
from econweb.quick_command import QuickCommand


class Command(QuickCommand):
    help = "Create, list and revoke API keys for clients of the embedded service."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("create", help="create a key").add_argument(
            "label", metavar="LABEL", help="a name for the client"
        )
        actions.add_parser("list", help="list the keys by label, with their last use")
        actions.add_parser("revoke", help="delete a key; its client gets no more answers").add_argument(
            "label", metavar="LABEL"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "create":
            self.create(options["label"])
        elif options["action"] == "revoke":
            self.revoke(options["label"])
        else:
            self.list()

    def create(self, label: str) -> None:
        if not 1 <= len(label) <= 100 or not label.isprintable():
            raise CommandError("A label has one to 100 printable characters.")
        try:
            with transaction.atomic():
                key = access.create_key(label)
                record_changes(at_command_line(), "created", [Edit("api key", label, label, None, {"client": label})])
        except IntegrityError:
            raise CommandError(f"There is a key for {label!r} already.") from None
        self.stderr.write("Copy this key now. It will not be shown again:")
        self.stdout.write(key)

    def revoke(self, label: str) -> None:
        with transaction.atomic():
            deleted, _ = ApiKey.objects.filter(label=label).delete()
            if not deleted:
                raise CommandError(f"There is no key for {label!r}.")
            record_changes(at_command_line(), "revoked", [Edit("api key", label, label, {"client": label}, None)])
        self.stdout.write(f"The key for {label!r} is revoked.")

    def list(self) -> None:
        if not ApiKey.objects.exists():
            self.stdout.write("There are no keys. Create one: manage.py api_key create LABEL.")
        for key in ApiKey.objects.order_by("label"):
            used = f"last used {key.last_used:%Y-%m-%d %H:%M}" if key.last_used else "never used"
            self.stdout.write(f"{key.label}  made {key.created:%Y-%m-%d}  {used}")
