"""The client of the service: within the rate limit, not while the breaker is open, with at most one retry."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore

import requests

from econweb.redaction import register_secret
from econweb.upstream import clock, metrics
from econweb.upstream.background import in_background
from econweb.upstream.clock import Deadline
from econweb.upstream.errors import TOO_MANY_OPEN, Busy, Unavailable, UpstreamError
from econweb.upstream.limits.background_share import BackgroundShare
from econweb.upstream.limits.circuit_breaker import CircuitBreaker
from econweb.upstream.limits.key_status import KeyStatus
from econweb.upstream.limits.rate_limit import RateLimit
from econweb.upstream.transport.exchange import exchange
from econweb.upstream.transport.network import MAX_CONNECTIONS
from econweb.upstream.visitor_limits import VisitorSlots, visitor

# A retry after a 429 waits as the service demands, but not longer than this.
MAX_RETRY_WAIT = 3.0
# An answer that took more than this share of the timeout is used, but counts as a failure for the breaker.
SLOW_SHARE = 0.4
TOO_SLOW = "The data provider answers too slowly."
# How long a request waits for one of MAX_CONNECTIONS connections (see also visitor_limits.py).
CONNECTION_WAIT_SECONDS = 1.0
# How long a request in the background is put off for the requests of users.
BACKGROUND_PAUSE = 1.0


@dataclass(frozen=True)
class EconClient:
    """Sends requests to the service; it does not look into the answers."""

    base_url: str
    service_path: str
    api_key: str = field(repr=False)
    file_type: str
    timeout: float
    session: requests.Session = field(repr=False)
    breaker: CircuitBreaker = field(repr=False)
    key_status: KeyStatus = field(repr=False)
    # None for the embedded service, which has no rate limit.
    rate_limit: RateLimit | None = field(repr=False, default=None)
    # None where nothing bounds requests in the background, or where none are sent.
    background_share: BackgroundShare | None = field(repr=False, default=None)
    visitor_slots: VisitorSlots = field(repr=False, default_factory=VisitorSlots)
    connections: BoundedSemaphore = field(repr=False, default_factory=lambda: BoundedSemaphore(MAX_CONNECTIONS))

    def __post_init__(self) -> None:
        register_secret(self.api_key)

    def get(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes:
        """Return the body of a good answer to `{base_url}/{service_path}/{endpoint}`."""
        outcome = self._attempt(endpoint, parameters, deadline)
        if not isinstance(outcome, bytes) and self._is_retryable(outcome, deadline):
            clock.sleep(random.uniform(0.02, 0.1))  # noqa: S311  spreads the load, guards nothing
            outcome = self._attempt(endpoint, parameters, deadline)
        if isinstance(outcome, UpstreamError):
            raise outcome
        return outcome

    def check_idle(self) -> None:
        """Raise Busy unless a request in the background is within its share, and delays no user's request."""
        self.breaker.check()
        seconds = self.background_share.seconds_left() if self.background_share else 0.0
        # A bucket that is not full has been used a moment ago, by any worker.
        is_used = self.rate_limit is not None and self.rate_limit.available() < self.rate_limit.burst
        if is_used or not self.visitor_slots.is_empty():
            seconds = max(seconds, BACKGROUND_PAUSE)
        if seconds:
            raise Busy("Requests of users come first.", seconds)

    def _attempt(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes | UpstreamError:
        self.breaker.check()
        with self.visitor_slots.hold_slot():
            if self.rate_limit:
                # At most half of the time, so that enough is left for the answer.
                self.rate_limit.acquire(deadline.remaining() / 2, visitor.get())
            if self.background_share and in_background.get():
                self.background_share.charge()
            with _hold_connection(self.connections, min(CONNECTION_WAIT_SECONDS, deadline.remaining())):
                if self.rate_limit:
                    self.rate_limit.check()
                return self._send(endpoint, parameters, deadline)

    def _send(self, endpoint: str, parameters: dict[str, str], deadline: Deadline) -> bytes | UpstreamError:
        is_probe = self.breaker.enter(deadline.remaining())
        started = time.monotonic()
        outcome = exchange(
            self.session,
            f"{self.base_url}/{self.service_path}/{endpoint}",
            parameters | {"api_key": self.api_key, "file_type": self.file_type},
            deadline,
        )
        seconds = time.monotonic() - started
        failure = str(outcome) if isinstance(outcome, Unavailable) else ""
        if not failure and seconds > SLOW_SHARE * self.timeout and not is_probe:
            failure = TOO_SLOW
        self.breaker.report(failure, is_probe, deadline.remaining())
        self.key_status.report(outcome)
        metrics.count_request(endpoint, outcome, seconds)
        if isinstance(outcome, Busy) and self.rate_limit:
            outcome.retry_after = self.rate_limit.on_too_many_requests(outcome.retry_after, deadline.remaining())
        return outcome

    def _is_retryable(self, outcome: UpstreamError, deadline: Deadline) -> bool:
        if isinstance(outcome, Busy):
            # Acquiring the next token waits until then.
            longest = min(MAX_RETRY_WAIT, deadline.remaining() / 2)
            return self.rate_limit is not None and outcome.retry_after <= longest
        return isinstance(outcome, Unavailable) and outcome.is_retryable and deadline.remaining() > 0.2


@contextmanager
def _hold_connection(connections: BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not connections.acquire(timeout=seconds):
        raise Busy(TOO_MANY_OPEN, 2.0)
    try:
        yield
    finally:
        connections.release()
