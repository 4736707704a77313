"""manage.py load_catalogue FOLDER: replace the catalogue of the embedded service."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError

from econweb.catalogue.loading.file_format import KINDS
from econweb.catalogue.loading.lock import AlreadyLocked
from econweb.catalogue.loading.problems import InvalidCatalogue
from econweb.catalogue.loading.template import FolderInUse, write_template
from econweb.config.file_access import describe_inaccessible
from econweb.label_book.storing import count_edited
from econweb.quick_command import QuickCommand
from econweb.startup.load_catalogue import load_catalogue

ADVICE = " Is another program writing to it? Try again when it has ended."


class Command(QuickCommand):
    help = "Replace the embedded catalogue, and the names that nobody has edited, by those in a folder of CSV files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="only check the files")
        parser.add_argument("--empty", action="store_true", help="accept a catalogue without series")
        parser.add_argument("--template", action="store_true", help="only write files to start with, into a new folder")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"].absolute()
        if options["template"]:
            if options["dry_run"] or options["empty"]:
                raise CommandError("--template only writes files. Leave out --dry-run and --empty.")
            self._write_template(folder)
            return
        _check_folder(folder)
        try:
            found = load_catalogue(folder, options["dry_run"], options["empty"])
        except InvalidCatalogue as wrong:
            raise CommandError(f"Nothing is loaded. The files are wrong:\n{wrong}") from None
        except AlreadyLocked as holder:
            raise CommandError(f"Nothing is loaded. Another load is under way: {holder}.") from None
        except (DatabaseError, OSError) as error:
            words = f"Nothing is loaded. The catalogue cannot be written: {error}."
            raise CommandError(f"{words}{ADVICE if 'locked' in str(error) else ''}") from None
        except KeyboardInterrupt:
            raise CommandError("Nothing is loaded. The load was stopped.", returncode=130) from None
        if found is None:
            self.stdout.write("These files are loaded already. Nothing is changed.")
        else:
            done = "would be loaded. Nothing is changed" if options["dry_run"] else "are loaded"
            owners = " and ".join(f"{len(one.rows)} {KINDS[one.kind]}" for one in found.owners)
            tags = f"{found.versions} versions of series, {len(found.tags)} tags"
            self.stdout.write(f"{tags}, {owners} {done}.")
            # Beside another service a load leaves all names alone.
            if not options["dry_run"] and not settings.ECON_BASE_URL and (kept := count_edited()):
                one, were, are = ("name", "was", "is") if kept == 1 else ("names", "were", "are")
                self.stdout.write(f"{kept} {one} that {were} edited or imported {are} kept.")

    def _write_template(self, folder: Path) -> None:
        try:
            write_template(folder)
        except (FolderInUse, OSError) as error:
            raise CommandError(f"Nothing is written. {error}") from None
        self.stdout.write(f"{folder} has seven files with an example row each. docs/catalogue.md explains the columns.")


def _check_folder(folder: Path) -> None:
    """Raise CommandError for a folder that is missing, or that this user may not enter."""
    try:
        # Path.is_dir does not say whether the folder can be entered, and drops the dot.
        os.stat(f"{folder}/.")  # noqa: PTH116
    except PermissionError:
        raise CommandError(f"Nothing is loaded. {describe_inaccessible(folder)}") from None
    except OSError:
        raise CommandError(
            f"There is no folder {folder}. Nothing is loaded. `--template` writes one to start with."
        ) from None
