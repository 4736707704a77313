"""Asks the service: within the allowance, not while it is broken, and at most twice."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore

import requests

from econweb.upstream import clock, metrics
from econweb.upstream.allowance import Allowance
from econweb.upstream.breaker import Breaker
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import Busy, Unavailable, UpstreamError
from econweb.upstream.exchange import exchange
from econweb.upstream.redaction import hide
from econweb.upstream.wire import CONNECTIONS

# A second try after a 429 waits as told, but a reader does not wait longer than this for it.
LONGEST_SECOND_WAIT = 3.0
# Above this part of the deadline an answer is a good one and yet a sign of trouble.
SLOW = 0.4
# Few may be under way at once, and as many may wait for that, for so long; all others are told to come back.
# A server with more threads than both together always has some left for pages that need no request.
MOST_IN_LINE = 2 * CONNECTIONS
LINE_SECONDS = 1.0


@dataclass(frozen=True)
class EconClient:
    """Knows where the service is and how it is asked; knows nothing of what is in an answer."""

    base_url: str
    service_path: str
    api_key: str = field(repr=False)
    file_type: str
    timeout: float
    session: requests.Session = field(repr=False)
    breaker: Breaker = field(repr=False)
    # The embedded service has no allowance to keep.
    allowance: Allowance | None = field(repr=False, default=None)
    line: BoundedSemaphore = field(repr=False, default_factory=lambda: BoundedSemaphore(MOST_IN_LINE))
    under_way: BoundedSemaphore = field(repr=False, default_factory=lambda: BoundedSemaphore(CONNECTIONS))

    def __post_init__(self) -> None:
        hide(self.api_key)

    def get(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes:
        """The body of a good answer to `{base_url}/{service_path}/{endpoint}`."""
        outcome = self._attempt(endpoint, parameters, deadline)
        if not isinstance(outcome, bytes) and self._may_pass(outcome, deadline):
            clock.sleep(random.uniform(0.02, 0.1))  # noqa: S311  spreads the load, guards nothing
            outcome = self._attempt(endpoint, parameters, deadline)
        if isinstance(outcome, UpstreamError):
            raise outcome
        return outcome

    def _attempt(
        self, endpoint: str, parameters: dict[str, str], deadline: Deadline
    ) -> bytes | UpstreamError:
        self.breaker.check()
        with _place(self.line, 0.0):
            if self.allowance:
                # Who waits for more than half of the time would have too little left for the answer.
                self.allowance.take(deadline.left() / 2)
            with _place(self.under_way, min(LINE_SECONDS, deadline.left())):
                if self.allowance:
                    self.allowance.check()
                return self._asked(endpoint, parameters, deadline)

    def _asked(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes | UpstreamError:
        probe = self.breaker.enter(deadline.left())
        begun = time.monotonic()
        outcome = exchange(
            self.session,
            f"{self.base_url}/{self.service_path}/{endpoint}",
            parameters | {"api_key": self.api_key, "file_type": self.file_type},
            deadline,
        )
        seconds = time.monotonic() - begun
        slow = seconds > SLOW * self.timeout and not probe
        good = not isinstance(outcome, Unavailable) and not slow
        self.breaker.report(good, probe, deadline.left())
        metrics.requested(endpoint, outcome, seconds)
        if isinstance(outcome, Busy) and self.allowance:
            outcome.seconds = self.allowance.complained(outcome.seconds, deadline.left())
        return outcome

    def _may_pass(self, outcome: UpstreamError, deadline: Deadline) -> bool:
        if isinstance(outcome, Busy):
            # It is the allowance that waits until then.
            return self.allowance is not None and outcome.seconds <= min(
                LONGEST_SECOND_WAIT, deadline.left() / 2
            )
        return isinstance(outcome, Unavailable) and outcome.passing and deadline.left() > 0.2


@contextmanager
def _place(places: BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not places.acquire(timeout=seconds):
        raise Busy("This portal has too many requests to the service under way.", 2.0)
    try:
        yield
    finally:
        places.release()
