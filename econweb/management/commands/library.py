"""manage.py library verify|export|import: frozen copies against their digests, and the whole library as a file."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from econweb.dashboard.frozen.owner import view_digest
from econweb.dashboard.saved.targets import BadTarget, kind_of
from econweb.library.export_file import export_to
from econweb.library.import_file import BadFile, import_from
from econweb.library.verify import find_problems


class Command(BaseCommand):
    help = "Recompute the digests of all frozen copies, or export or import all saved views and frozen copies."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("verify", help="recompute every digest, and name each copy that is damaged")
        for action in ("export", "import"):
            of_file = actions.add_parser(action, help=f"{action} everything, also what is private or withdrawn")
            of_file.add_argument("file", metavar="FILE", help="JSON lines; use - for standard output or input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["action"] == "verify":
                self._verify()
            else:
                (self._export if options["action"] == "export" else self._import)(options["file"])
        except (OSError, BadFile) as error:
            raise CommandError(str(error)) from None

    def _verify(self) -> None:
        copies = wrong = without = 0
        for copy, words in find_problems(view_digest):
            copies, wrong, without = copies + 1, wrong + bool(words), without + (copy.body is None)
            if words:
                self.stdout.write(f"Frozen copy {copy.pk} of {copy.person}: {words}")
        self.stdout.write(f"{copies} frozen copies were read; {without} of them have digests and no content.")
        if wrong:
            raise CommandError(f"{wrong} frozen copies are damaged. A backup may have them.")

    def _export(self, file: str) -> None:
        if file == "-":
            export_to(sys.stdout.buffer)
            return
        with open(file, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as opened:
            # Private copies are in it; a file that was there has a mode of its own.
            os.fchmod(opened.fileno(), 0o600)
            counts = export_to(opened)
        self.stdout.write(f"{_in_words(counts)} were written to {file}.")

    def _import(self, file: str) -> None:
        if file == "-":
            counts = import_from(sys.stdin.buffer, _check_target, view_digest)
        else:
            with Path(file).open("rb") as opened:
                counts = import_from(opened, _check_target, view_digest)
        self.stdout.write(f"{_in_words(counts)} were stored; others of the file were here already.")


def _check_target(kind: str, link: str) -> str:
    try:
        return "" if kind_of(link) == kind else f"it is no link of this kind: {kind}."
    except BadTarget as error:
        return str(error)


def _in_words(counts: Counter[str]) -> str:
    return f"{counts['saved view']} saved views and {counts['frozen copy']} frozen copies"
