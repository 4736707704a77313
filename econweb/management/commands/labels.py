"""manage.py labels import|export: the label book as a CSV file."""

import sys
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from econweb.accounts.changes import at_command_line
from econweb.config.file_access import describe_os_error
from econweb.label_book import files
from econweb.label_book.editing import import_labels
from econweb.label_book.models import Label
from econweb.label_book.storing import offer_labels
from econweb.management.whole_file import open_whole
from econweb.quick_command import QuickCommand
from econweb.startup.supplied_labels import sample_labels


class Command(QuickCommand):
    help = f"Import or export the label book as CSV with the columns {','.join(files.COLUMNS)}."

    def add_arguments(self, parser: CommandParser) -> None:
        # With one parser for both, Python 3.11 refuses a file behind an option.
        actions = parser.add_subparsers(dest="action", required=True)
        export = actions.add_parser("export", help="write all labels to a file")
        export.add_argument("file", metavar="FILE.csv", help="use - for standard output")
        reading = actions.add_parser("import", help="store the labels of a file, or those of the sample")
        reading.add_argument("file", metavar="FILE.csv", nargs="?", help="use - for standard input")
        reading.add_argument("--replace", action="store_true", help="delete all labels that are not in the file")
        reading.add_argument("--sample", action="store_true", help="import the names of the sample instead of a file")

    def handle(self, *args: Any, **options: Any) -> None:
        action, file, replace = options["action"], options["file"], options.get("replace", False)
        if action == "import" and options["sample"] == bool(file):
            raise CommandError("Name one file, or give --sample to import the names of the sample.")
        if replace and not file:
            raise CommandError("--replace needs a file to import.")
        try:
            said = self._run(Path(file) if file else None, action, replace)
        except files.BadFile as error:
            raise CommandError(str(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            participle = "read" if action == "import" else "written"
            stream = "Standard input" if action == "import" else "Standard output"
            raise CommandError(describe_os_error(error, stream if file == "-" else file, participle)) from None
        # Outside: standard output may be what cannot be written.
        if said:
            self.stdout.write(said)

    def _run(self, path: Path | None, action: str, replace: bool) -> str:
        """Return what was done, or nothing where standard output has the labels."""
        if path is None:
            before = Label.objects.count()
            read = offer_labels(sample_labels())
            return f"{read} names of the sample were read; {Label.objects.count() - before} of them are new."
        if action == "import":
            done = import_labels(at_command_line(), StringIO(files.read_text(path), newline=""), replace)
            deleted = f" Others deleted: {done.deleted}." if replace else ""
            source = "standard input" if str(path) == "-" else path
            return f"{done.labels} labels were read from {source}; {done.changed} of them are new or changed.{deleted}"
        if str(path) == "-":
            files.export_to(sys.stdout)
            return ""
        with open_whole(path, "w", encoding="utf-8", newline="") as file:
            count = files.export_to(file)
        return f"{count} labels were written to {path}."
