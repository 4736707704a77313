"""Look at what people follow, at the lowest priority: one look a source, however many follow it."""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.utils import timezone

from econweb.upstream import service
from econweb.upstream.background import has_background_share, seconds_after
from econweb.upstream.errors import Busy, UpstreamError, is_failure_of_service
from econweb.watching import queue
from econweb.watching.ask import Ask, AskedElsewhere, ask_service
from econweb.watching.judge import judge
from econweb.watching.models import WatchedSource
from econweb.watching.retention import remove_old
from econweb.watching.watches import settle_all

# The values of the setting WATCH: in each `serve`, by `manage.py watch --once`, or not at all.
SERVE, EXTERNAL, OFF = "serve", "external", "off"
# Seconds between two searches of the queue, and while another process works in the background.
IDLE_SECONDS, OTHER_SECONDS = 10.0, 10.0
# After a look. The embedded service has no rate limit, and users come first.
PAUSE_SECONDS = 0.2
# Until the next look at a source that another process asks for.
OTHER_WAIT = timedelta(minutes=1)
# Waits after failures of one source double up to the longest one.
MIN_SOURCE_WAIT, MAX_SOURCE_WAIT = timedelta(minutes=10), timedelta(days=1)
# People leave and come back, and their sources with them.
SETTLE = timedelta(hours=1)
log = structlog.get_logger("econweb.watching")


def may_watch() -> bool:
    """Return whether this site looks at sources: there is a share of the rate limit for it."""
    return settings.WATCH != OFF and has_background_share()


class Watcher:
    """The looks of one process; others may work beside it."""

    def __init__(
        self,
        hold: Callable[[], bool] = lambda: True,
        ask: Ask = ask_service,
        check_idle: Callable[[], None] = service.check_idle,
        now: Callable[[], datetime] = timezone.now,
    ) -> None:
        # Takes the lease for requests in the background, which one process of all has.
        self._hold, self._ask, self._check_idle, self._now = hold, ask, check_idle, now
        self._settle_at: datetime | None = None
        # Whose source was looked at last.
        self._turn = ""
        # Whether the last step found nothing to do, and failures of the service in a row.
        self.is_idle, self.failures = False, 0
        # Looks that ended, with an answer or without.
        self.looks = 0

    def step(self) -> float:
        """Look at one source; return the seconds until the next step."""
        if self._settle_at is None or self._now() >= self._settle_at:
            settle_all()
            remove_old(self._now())
            self._settle_at = self._now() + SETTLE
        now = self._now()
        self.is_idle = not queue.is_due(now)
        if self.is_idle:
            return IDLE_SECONDS
        if not self._hold():
            return OTHER_SECONDS
        try:
            self._check_idle()
        except UpstreamError as error:
            return self._pause(error)
        # People take turns: the long lists of one do not delay the looks for the others.
        self._turn = queue.next_person(now, self._turn)
        row = queue.claim(now, self._turn)
        if row is None:
            self.is_idle = True
            return IDLE_SECONDS
        return self._look(row)

    def _look(self, row: WatchedSource) -> float:
        try:
            reply = self._ask(row.kind, row.key)
            verdict = judge(queue.memory_of(row), reply.facts, reply.at, settings.ECON_MAY_STORE, reply.is_sure)
            queue.finish(row, verdict, self._now())
            self.looks += 1
        except AskedElsewhere:
            # Left due, it would be the next one again, before all others.
            queue.delay(row, self._now() + OTHER_WAIT, self._now())
            return PAUSE_SECONDS
        except Busy as error:
            queue.release(row)
            return self._pause(error)
        except UpstreamError as error:
            return self._handle(row, error)
        except Exception as error:
            # Whatever it is, it does not hold up the other sources.
            self._postpone(row, error)
            raise
        if self.failures:
            log.warning("the service answers looks at watched sources again")
        self.failures = 0
        return PAUSE_SECONDS

    def _handle(self, row: WatchedSource, error: UpstreamError) -> float:
        """Note a failure, which is no change of the source; one of a single source does not delay the others."""
        self._postpone(row, error)
        return self._pause(error) if is_failure_of_service(error) else PAUSE_SECONDS

    def _postpone(self, row: WatchedSource, error: Exception) -> None:
        self.looks += 1
        now, wait = self._now(), MIN_SOURCE_WAIT * 2 ** min(row.failures, 20)
        queue.postpone(row, now + min(wait, MAX_SOURCE_WAIT), type(error).__name__, now)

    def _pause(self, error: UpstreamError) -> float:
        """Return the seconds until the service may be asked again."""
        if not isinstance(error, Busy):
            self.failures += 1
            if self.failures == 1:
                failure = type(error).__name__
                log.warning("watched sources cannot be looked at, and are tried again later", failure=failure)
        return seconds_after(error, self.failures)
