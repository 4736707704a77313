"""manage.py labels import|export: the label book as a CSV file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from econweb.label_book import lookup as labels


class Command(BaseCommand):
    help = f"Import or export the label book as CSV with the columns {','.join(labels.COLUMNS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["import", "export"])
        parser.add_argument("file", metavar="FILE.csv", help="use - to export to standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"])
        try:
            if options["action"] == "import":
                self.stdout.write(f"{labels.import_from(path)} labels were read from {path}.")
            elif options["file"] == "-":
                labels.export_to(sys.stdout)
            else:
                with path.open("w", encoding="utf-8", newline="") as file:
                    count = labels.export_to(file)
                self.stdout.write(f"{count} labels were written to {path}.")
        except (OSError, labels.BadFile) as error:
            raise CommandError(str(error)) from None
