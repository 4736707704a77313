"""manage.py make_catalogue --series N --seed S FOLDER: files to test the embedded service with."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from econweb.catalogue.loading import generate
from econweb.quick_command import QuickCommand


class Command(QuickCommand):
    help = "Write a made-up catalogue of any size, the same bytes for the same arguments."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--series", type=int, required=True, metavar="N")
        parser.add_argument("--seed", type=int, default=1, metavar="S")
        parser.add_argument("folder", metavar="FOLDER", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["series"] < 0:
            raise CommandError("--series is a number from 0 on.")
        folder = options["folder"]
        try:
            if folder.exists() and any(folder.iterdir()):
                raise CommandError(f"The folder {folder} is not empty: name a new one.")
            generate.generate(options["series"], options["seed"], folder)
        except OSError as error:
            raise CommandError(f"The files cannot be written: {error}.") from None
        self.stdout.write(f"{options['series']} made-up series are in {folder}.")
