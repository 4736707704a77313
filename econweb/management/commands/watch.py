"""manage.py watch --once|--status: looks at what people follow."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from econweb.management.until_idle import work_until_idle
from econweb.quick_command import QuickCommand
from econweb.search_index.reading.lease import BackgroundLease
from econweb.upstream import clock
from econweb.watching.queue import forget_texts
from econweb.watching.status import status_lines
from econweb.watching.watcher import Watcher, may_watch

# Without a look, while the service has no time or another process takes over.
MAX_WAIT_SECONDS = 60.0
# Between two tries to take the lease.
LEASE_POLL_SECONDS = 5.0


class Command(QuickCommand):
    help = "Show the state of looks at followed sources, or look at all that are due."

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
            lease = BackgroundLease()
            if not self._take_turn(lease):
                self.stdout.write("Another process asks in the background, so this one looks at nothing.")
                return
            try:
                look_at_all(Watcher(lease.hold))
            finally:
                lease.release()
        for line in status_lines():
            self.stdout.write(line)

    def _take_turn(self, lease: BackgroundLease) -> bool:
        """Take the lease; return False if another process holds it for a minute."""
        if lease.hold():
            return True
        self.stdout.write("Another process asks in the background. This one waits for it, at most a minute.")
        for _ in range(int(MAX_WAIT_SECONDS / LEASE_POLL_SECONDS)):
            clock.sleep(LEASE_POLL_SECONDS)
            if lease.hold():
                return True
        return False


def look_at_all(watcher: Watcher) -> None:
    """Look at what is due, as long as the service has time for a look a minute."""
    looks, waited = 0, 0.0
    for pause in work_until_idle(watcher):
        waited = waited + pause if watcher.looks == looks else 0.0
        looks = watcher.looks
        if waited > MAX_WAIT_SECONDS:
            raise CommandError("Nothing could be looked at for a minute: the service is busy. Start it again later.")
