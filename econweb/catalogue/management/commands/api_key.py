"""manage.py api_key create LABEL | list | revoke LABEL: who may ask the embedded service."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError

from econweb.catalogue import access
from econweb.catalogue.models import ApiKey


class Command(BaseCommand):
    help = "Make, list and revoke the keys of the clients of the embedded service."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("create", help="make a key").add_argument("label", help="whose key it is")
        actions.add_parser("list", help="show whose keys there are, and when each was last used")
        actions.add_parser("revoke", help="let a key no longer in").add_argument("label")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "create":
            self.create(options["label"])
        elif options["action"] == "revoke":
            self.revoke(options["label"])
        else:
            self.list()

    def create(self, label: str) -> None:
        if not 1 <= len(label) <= 100 or not label.isprintable():
            raise CommandError("A label is one to 100 characters that can be printed.")
        try:
            key = access.create_key(label)
        except IntegrityError:
            raise CommandError(f"There is a key for {label!r} already.") from None
        self.stderr.write("This key is shown once and kept nowhere:")
        self.stdout.write(key)

    def revoke(self, label: str) -> None:
        deleted, _ = ApiKey.objects.filter(label=label).delete()
        if not deleted:
            raise CommandError(f"There is no key for {label!r}.")
        self.stdout.write(f"The key for {label!r} is revoked.")

    def list(self) -> None:
        for key in ApiKey.objects.order_by("label"):
            used = f"last used {key.last_used:%Y-%m-%d %H:%M}" if key.last_used else "never used"
            self.stdout.write(f"{key.label}  made {key.created:%Y-%m-%d}  {used}")
