"""manage.py series import FILE.csv: titles by which series are found."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from econweb.quick_command import QuickCommand
from econweb.search_index.titles.import_file import COLUMNS, BadFile, import_from


class Command(QuickCommand):
    help = f"Import titles of series as CSV with the columns {','.join(COLUMNS)}, for the search by words."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["import"])
        parser.add_argument("file", metavar="FILE.csv", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            total, changed = import_from(options["file"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from None
        except BadFile as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{total} titles were read from {options['file']}, {changed} of them new or changed.")
