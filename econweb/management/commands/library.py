"""manage.py library verify|export|import: frozen copies against their digests, and the whole library as a file."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from econweb.config.file_access import describe_os_error
from econweb.dashboard.saved.stored_links import LINKS
from econweb.library.export_file import CannotExport, export_to
from econweb.library.import_file import HERE_ALREADY, BadFile, import_from
from econweb.library.models import FrozenCopy
from econweb.library.verify import find_problems, name_row
from econweb.management.whole_file import open_whole
from econweb.quick_command import QuickCommand


class Command(QuickCommand):
    help = "Recompute the digests of all frozen copies, or export or import all saved views and frozen copies."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("verify", help="recompute every digest, and name each copy that is damaged")
        for action in ("export", "import"):
            of_file = actions.add_parser(action, help=f"{action} everything, also what is private or withdrawn")
            of_file.add_argument("file", metavar="FILE", help="JSON lines; use - for standard output or input")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "verify":
            self._verify()
            return
        file, is_export = options["file"], options["action"] == "export"
        try:
            said = self._export(file) if is_export else self._import(file)
        except PermissionError:
            doing = "write {0} or beside it" if is_export else "open {0}"
            words = f"The user of this command may not {doing.format(file)}."
            raise CommandError(f"{words} With - in its place your shell opens the file.") from None
        except BrokenPipeError:
            raise
        except OSError as error:
            stream, participle = ("Standard output", "written") if is_export else ("Standard input", "read")
            raise CommandError(describe_os_error(error, stream if file == "-" else file, participle)) from None
        except BadFile as error:
            raise CommandError(str(error)) from None
        except CannotExport as error:
            raise CommandError(f"The export stopped. {error}") from None
        # Outside: standard output may be what cannot be written.
        if said:
            self.stdout.write(said)

    def _verify(self) -> None:
        rows, wrong = Counter[str](), 0
        for row, words in find_problems(LINKS):
            is_copy = isinstance(row, FrozenCopy)
            rows["frozen copy" if is_copy else "saved view"] += 1
            rows["without content"] += isinstance(row, FrozenCopy) and row.body is None
            wrong += bool(words)
            if words:
                self.stdout.write(f"{name_row(row)}: {words}")
        number = rows["without content"]
        without = f"{number} of the copies {'has' if number == 1 else 'have'} digests and no content."
        self.stdout.write(f"{_in_words(rows)} were read; {without}")
        if wrong == 1:
            raise CommandError("1 of them is damaged. A backup may have it.")
        if wrong:
            raise CommandError(f"{wrong} of them are damaged. A backup may have them.")

    def _export(self, file: str) -> str:
        """Return what was done, or nothing where standard output has the library."""
        if file == "-":
            export_to(sys.stdout.buffer)
            return ""
        with open_whole(Path(file)) as opened:
            counts = export_to(opened)
        return f"{_in_words(counts)} were written to {file}."

    def _import(self, file: str) -> str:
        if file == "-":
            counts = import_from(sys.stdin.buffer, LINKS)
        else:
            with Path(file).open("rb") as opened:
                counts = import_from(opened, LINKS)
        number = counts[HERE_ALREADY]
        return f"{_in_words(counts)} were stored; {number} {'was' if number == 1 else 'were'} here already."


def _in_words(counts: Counter[str]) -> str:
    views, copies = counts["saved view"], counts["frozen copy"]
    return f"{views} saved view{'' if views == 1 else 's'} and {copies} frozen cop{'y' if copies == 1 else 'ies'}"
