"""The work of a worker besides its answers: for the index, for watched sources, for mails, and for the library."""

from collections.abc import Callable, Iterator
from functools import partial

from django.conf import settings

from econweb.library.copies import sweep
from econweb.search_index.reading.fetched_titles import may_write, write_fetched
from econweb.search_index.reading.lease import BackgroundLease
from econweb.search_index.reading.reader import Reader, may_read
from econweb.search_index.tags.blocks import OwnerTags, owner_tags
from econweb.search_index.tags.similar import follow_index
from econweb.search_index.titles.source_names import name_in_mails
from econweb.startup.catalogue_tags import read_tags
from econweb.upstream import service
from econweb.watching.queue import forget_texts
from econweb.watching.watcher import SERVE, Watcher, may_watch
from econweb.watching.weekly_mails import WeeklyMails


def list_steps() -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the name and the step of each thread that the settings ask for; a step returns the seconds to the next."""
    # The process that has the lease sends all requests in the background, which share one part of the rate limit.
    lease = BackgroundLease()
    if may_read():
        yield "reader", Reader(request_tags, lease).step
    if settings.WATCH == SERVE and may_watch():
        yield "watcher", Watcher(partial(lease.hold, "watcher")).step
    if may_write():
        yield "titles", write_fetched
    if settings.ECON_MAY_STORE:
        yield "similarities", follow_index
    else:
        yield "fingerprints", forget_texts
    yield "sweeper", sweep
    if settings.MAIL_SERVER:
        yield "mails", WeeklyMails(name_in_mails).step


def request_tags(kind: str, number: int) -> OwnerTags:
    """Ask the service for tags, or read the embedded catalogue; raise Busy at once while users wait."""
    if settings.ECON_BASE_URL:
        return owner_tags(service.tags_in_background(kind, number))
    service.check_idle()
    return read_tags(kind, number)
