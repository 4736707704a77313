"""Read the tags of all known categories and releases into the index, at the lowest priority."""

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction

from econweb.search_index.models import ReaderState, UnreadOwner
from econweb.search_index.reading import plan as plans
from econweb.search_index.reading.lease import BackgroundLease
from econweb.search_index.reading.plan import Owner, Plan
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.blocks import Block, OwnerTags, owner_tags
from econweb.upstream import clock, service
from econweb.upstream.background import has_background_share, seconds_after
from econweb.upstream.errors import Busy, NotFound, Unavailable, UpstreamError, is_failure_of_service
from econweb.upstream.queries import TagQuery

# Looking for something to read takes two small queries.
IDLE_SECONDS = 3.0
# How long this process leaves the work to another one before it tries to take the lease.
OTHER_SECONDS = 10.0
# Answers are written together, in one transaction: at most this number of tags, of this number of seconds.
MAX_TOGETHER, SECONDS_TOGETHER = 500_000, 3.0
# Waits after failures of one category or release double up to the longest one.
MIN_OWNER_SECONDS, MAX_OWNER_SECONDS = 600.0, 86_400.0
# Its name as a user of the lease.
NAME = "reader"
Request = Callable[[str, int], OwnerTags]
log = structlog.get_logger("econweb.search_index")


def may_read() -> bool:
    """Return whether there is an index to fill, and a share of the rate limit for it."""
    return settings.ECON_MAY_STORE and has_background_share()


class Reader:
    """Reads a few categories or releases in each step, and continues where the last reader stopped."""

    def __init__(self, request: Request, lease: BackgroundLease | None = None) -> None:
        self._request = request
        self._lease = lease or BackgroundLease()
        self._plan = Plan()
        # Failures of the service in a row.
        self.failures = 0

    @property
    def is_idle(self) -> bool:
        """Return whether nothing was left to read at the last step."""
        return self._plan.is_valid() and not self._plan.due and self._plan.generation is None

    def step(self) -> float:
        """Do a piece of work; return the seconds until the next one."""
        if self.is_idle:
            return IDLE_SECONDS
        if not self._lease.hold(NAME):
            return OTHER_SECONDS
        if not self._plan.is_valid():
            self._plan = plans.make_plan()
        try:
            pause = self._read_some()
        except Exception:
            # The plan no longer has the owners that were to be written.
            self._plan = Plan()
            raise
        if not self._plan.due:
            self._finish()
            self._lease.release(NAME)
        return pause

    def stop(self) -> None:
        """Leave the work to another process."""
        self._lease.release(NAME)

    def _finish(self) -> None:
        """Put a rebuilt index in place of the old one, unless another process began a newer one meanwhile."""
        generation, edition = self._plan.generation, self._plan.edition
        if generation is None:
            return
        with transaction.atomic():
            own_rebuild = ReaderState.objects.filter(pk=1, rebuilding=edition, generation=generation)
            if not own_rebuild.update(edition=edition, rebuilding=""):
                self._plan = Plan()
                return
            old_generation = tag_index.publish(generation)
        self._plan.generation = None
        # An earlier version that was stopped in the middle had put the new index in place already.
        if old_generation != generation:
            tag_index.remove_generation(old_generation)

    def _read_some(self) -> float:
        block, pause, until = Block(), 0.0, clock.steady() + SECONDS_TOGETHER
        while self._plan.due and not pause and block.size < MAX_TOGETHER and clock.steady() < until:
            owner = self._plan.due.popleft()
            try:
                block.add(*owner, self._fetch(owner))
            except UpstreamError as error:
                pause = self._handle(owner, error)
        if block.owners:
            self._write(block)
        return pause

    def _fetch(self, owner: Owner) -> OwnerTags:
        """Return what a user's request has brought, or send a request."""
        cached = service.cached_tags(*owner, TagQuery()) if settings.ECON_BASE_URL else None
        if cached and cached.freshness.fetched > plans.oldest_valid():
            return owner_tags(cached)
        tags = self._request(*owner)
        if tags.fetched <= plans.oldest_valid():
            raise Unavailable("The answer cache replaces a failure by an old answer.")
        return tags

    def _write(self, block: Block) -> None:
        with transaction.atomic():
            tag_index.write(block, self._plan.generation)
            UnreadOwner.objects.filter(block.is_one_of_them()).delete()
        self.failures = 0
        # An earlier process may have met the failure.
        if ReaderState.objects.exclude(failure="").update(failure="", failing_since=None):
            log.warning("the index of tags is read again")

    def _handle(self, owner: Owner, error: UpstreamError) -> float:
        """Return the seconds to wait: a failure of one owner does not delay the others."""
        if not isinstance(error, Busy) and not is_failure_of_service(error):
            self._postpone(owner, error)
            return 0.0
        self._plan.due.appendleft(owner)
        if not isinstance(error, Busy):
            self._note_failure(error)
        return seconds_after(error, self.failures)

    def _note_failure(self, error: UpstreamError) -> None:
        """Note that the service as a whole fails."""
        self.failures += 1
        if self.failures == 1:
            failure = type(error).__name__
            log.warning("the index of tags cannot be read, and is tried again later", failure=failure)
            ReaderState.objects.filter(pk=1).update(failure=failure, failing_since=clock.utc_now())

    def _postpone(self, owner: Owner, error: UpstreamError) -> None:
        """Remove an owner that the service says it does not have; the index keeps the old tags of any other."""
        kind, number = owner
        # A 404 without a message may come from a proxy in front of the service.
        is_gone = isinstance(error, NotFound) and error.is_explicit
        if is_gone:
            tag_index.remove(kind, number)
        held = UnreadOwner.objects.filter(kind=kind, number=number).first()
        failures = min(held.failures, 20) + 1 if held else 1
        wait = MAX_OWNER_SECONDS if is_gone else MIN_OWNER_SECONDS * 2**failures / 2
        UnreadOwner.objects.update_or_create(
            kind=kind,
            number=number,
            defaults={
                "failures": failures,
                "failure": type(error).__name__,
                "retry_at": clock.utc_now() + timedelta(seconds=min(wait, MAX_OWNER_SECONDS)),
            },
        )
