"""manage.py index --status|--once: the index of tags."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from econweb.management.until_idle import work_until_idle
from econweb.quick_command import QuickCommand
from econweb.search_index.reading.lease import is_held
from econweb.search_index.reading.reader import Reader, may_read
from econweb.search_index.reading.status import status_lines
from econweb.search_index.tags.blocks import OwnerTags, owner_tags
from econweb.serving.background import request_tags
from econweb.upstream import service
from econweb.upstream.queries import TagQuery


class Command(QuickCommand):
    help = "Show how far the index of tags is, or read everything that is due."

    def add_arguments(self, parser: CommandParser) -> None:
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--status", action="store_true", help="show how far it is and what failed")
        action.add_argument("--once", action="store_true", help="read what is due, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            if not may_read():
                raise CommandError("Nothing may be read: see ECON_MAY_STORE and ECON_BACKGROUND_SHARE.")
            read_all()
        for line in status_lines():
            self.stdout.write(line)


def read_all() -> None:
    """Read what is due; without a shared cache the rate limit of the workers is not known, and the share holds."""
    has_shared_limit = settings.ECON_BASE_URL and settings.CACHE_URL
    reader = Reader(_request_at_once if has_shared_limit else request_tags)
    if is_held():
        raise CommandError("Another process is reading: see --status.")
    try:
        for _ in work_until_idle(reader):
            pass
    finally:
        reader.stop()


def _request_at_once(kind: str, number: int) -> OwnerTags:
    return owner_tags(service.tags(kind, number, TagQuery(), renew=True))
