"""manage.py watch --once|--status: looks at what people follow."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from econweb.upstream import clock
from econweb.watching.queue import forget_texts
from econweb.watching.status import status_lines
from econweb.watching.watcher import Watcher, may_watch

# After the waits of watcher.py between them, 35 seconds.
MAX_FAILURES = 4


class Command(BaseCommand):
    help = "Show how the looks at followed sources are, or look at all that are due."

    def add_arguments(self, parser: CommandParser) -> None:
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--status", action="store_true", help="show what is due, what waits and what failed")
        action.add_argument("--once", action="store_true", help="look at what is due, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            if not may_watch():
                raise CommandError("Nothing may be looked at: see WATCH and ECON_BACKGROUND_SHARE.")
            if not settings.ECON_MAY_STORE:
                forget_texts()
            look_at_all()
        for line in status_lines():
            self.stdout.write(line)


def look_at_all() -> None:
    """Look at what is due; a kill loses nothing, and other processes may do the same."""
    watcher = Watcher()
    while True:
        pause = watcher.step()
        if watcher.is_idle:
            return
        if watcher.failures >= MAX_FAILURES:
            raise CommandError("The service fails. Start the command again: it continues where it stopped.")
        clock.sleep(pause)
