"""The rate limit: a token bucket shared by all workers."""

import math
import random
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from econweb.upstream import clock
from econweb.upstream.cache.store import Store
from econweb.upstream.errors import Busy
from econweb.upstream.limits.shared_state import SharedState
from econweb.upstream.limits.turns import Turns

# Seconds of half the rate and no bursts after a 429 (Too Many Requests).
SLOW_SECONDS = 300.0
# The longest pause after a 429 without Retry-After.
MAX_PAUSE = 60.0
# One second longer than a minute: requests arrive a little later or earlier than they are sent.
SECONDS_PER_LIMIT = 61.0
# Tolerance in seconds: a sleep may end early, and two workers read the shared clock at different moments.
_TOLERANCE = 0.05
# No caller waits longer for a turn: half of the largest ECON_TIMEOUT.
MAX_PATIENCE = 60.0
# A Retry-After above an hour is treated as nonsense.
MAX_RETRY_AFTER = 3600.0


class BucketState(Struct, frozen=True):
    """The bucket; all times are on the clock of the store."""

    # When the bucket is full again.
    full: float = 0.0
    # No request before this time, as the service demanded.
    pause: float = 0.0
    # Until when the rate is halved.
    slow: float = 0.0
    # 429 replies in a row.
    rejections: int = 0
    # The last change, which reveals a clock that was moved; 0 if no worker has written it.
    changed: float = 0.0


class _Seen(NamedTuple):
    """The bucket that this process saw last: its change, the monotonic time of the look, and its age then."""

    changed: float = math.nan
    moment: float = -math.inf
    age: float = 0.0


class RateLimit:
    """Allow at most `per_minute` requests in any 61 seconds, bursts included."""

    def __init__(self, store: Store, per_minute: int) -> None:
        self.burst = min(10, max(1, per_minute // 12))
        # This time may begin with a burst, so the steady rate is lower.
        # Sums of a wall-clock float and multiples of 2**-20 are exact, so no token of a burst comes late.
        self._interval = math.ceil(SECONDS_PER_LIMIT / (per_minute - self.burst + 1) * 2**20) / 2**20
        self._store = store
        self._bucket = SharedState(store, "rate_limit", BucketState())
        self._last_seen = _Seen()
        self._turns = Turns()

    def acquire(self, patience: float, visitor: str = "") -> None:
        """Wait for a token; raise Busy at once, without taking one, if it would take longer than `patience`."""
        deadline = clock.Deadline(patience)
        if ahead := self._turns.count_ahead(visitor):
            self._check_queue(ahead, patience)
        while not self._take_turn(visitor, deadline):
            clock.sleep(self._interval)

    def _take_turn(self, visitor: str, deadline: clock.Deadline) -> bool:
        """Wait for the turn and a token; False if a greedy visitor leaves the token to others."""
        with self._turns.take(visitor, deadline.remaining()) as has_turn:
            left = deadline.remaining()
            if self._turns.is_greedy(visitor) and self.available() <= self.burst // 2:
                if has_turn:
                    self._turns.give_back(visitor)
                if left <= self._interval:
                    raise Busy("This site has reached its request limit.", self._interval)
                return False
            # One token at a time is taken ahead of its moment, so that no visitor reserves a row of them.
            clock.sleep(self._bucket.change(lambda bucket: self._take_token(bucket, left), left))
            return True

    def check(self) -> None:
        """Raise Busy if the service sent a 429 while the caller waited for its turn."""
        bucket, now = self._current(self._bucket.get())
        wait = bucket.pause - now
        if wait > _TOLERANCE:
            raise _busy_error(bucket, now, wait)

    def on_too_many_requests(self, retry_after: float, patience: float) -> float:
        """Pause all requests after a 429; return the seconds of the pause."""
        return self._bucket.change(lambda bucket: self._pause(bucket, retry_after), patience)

    def available(self) -> int:
        """Return how many requests could be sent at once."""
        bucket, now = self._current(self._bucket.get())
        interval, burst = self._pace(bucket, now)
        if bucket.pause > now:
            return 0
        # A wall-clock float cannot tell a full bucket from one that is full in a microsecond.
        return max(0, int(burst - max(0.0, bucket.full - now) / interval + 0.001))

    def _check_queue(self, ahead: int, patience: float) -> None:
        bucket, now = self._current(self._bucket.get())
        interval, burst = self._pace(bucket, now)
        wait = max(bucket.pause - now, bucket.full + (ahead - burst) * interval - now)
        if wait > patience:
            raise _busy_error(bucket, now, wait)

    def _take_token(self, bucket: BucketState, patience: float) -> tuple[BucketState, float]:
        bucket, now = self._current(bucket)
        interval, burst = self._pace(bucket, now)
        wait = max(0.0, bucket.pause - now, bucket.full - (burst - 1) * interval - now)
        if wait > patience:
            raise _busy_error(bucket, now, wait)
        self._last_seen = _Seen(now, clock.steady())
        return replace(bucket, full=max(bucket.full, now + wait) + interval, changed=now), wait

    def _pause(self, bucket: BucketState, retry_after: float) -> tuple[BucketState, float]:
        bucket, now = self._current(bucket)
        self._last_seen = _Seen(now, clock.steady())
        return _pause_bucket(replace(bucket, changed=now), now, retry_after)

    def _current(self, bucket: BucketState) -> tuple[BucketState, float]:
        """Return the bucket on the present clock, and the time that counts as now."""
        now = self._store.now()
        if 0.0 <= bucket.changed - now <= _TOLERANCE:
            now = bucket.changed
        bucket = _shift(bucket, now, self._age(bucket, now))
        full_by = max(now, bucket.pause) + MAX_PATIENCE + 2 * self.burst * self._interval
        return _reset_if_impossible(bucket if bucket.full <= full_by else replace(bucket, full=0.0), now), now

    def _age(self, bucket: BucketState, now: float) -> float:
        """Return seconds since the last change; a shared clock that was moved does not affect it."""
        seen, steady = self._last_seen, clock.steady()
        if seen.changed != bucket.changed:
            # Another process made this change after the last look of this one.
            age = min(max(0.0, now - bucket.changed), steady - seen.moment)
            self._last_seen = seen = _Seen(bucket.changed, steady, age)
        return seen.age + steady - seen.moment

    def _pace(self, bucket: BucketState, now: float) -> tuple[float, int]:
        return (2 * self._interval, 1) if bucket.slow > now else (self._interval, self.burst)


def _busy_error(bucket: BucketState, now: float, wait: float) -> Busy:
    if bucket.pause > now:
        return Busy("The data provider has asked this site to wait.", wait)
    return Busy("This site has reached its request limit.", wait)


def _shift(bucket: BucketState, now: float, age: float) -> BucketState:
    """Return the same bucket on the present clock, given that it changed `age` seconds ago."""
    if not bucket.changed:
        return bucket
    shift = now - age - bucket.changed
    return BucketState(bucket.full + shift, bucket.pause + shift, bucket.slow + shift, bucket.rejections, now)


def _reset_if_impossible(bucket: BucketState, now: float) -> BucketState:
    """A state that this version cannot have written must not block requests for a day."""
    latest = now + MAX_RETRY_AFTER + SLOW_SECONDS + 1
    return BucketState() if max(bucket.full, bucket.pause, bucket.slow) > latest else bucket


def _pause_bucket(bucket: BucketState, now: float, retry_after: float) -> tuple[BucketState, float]:
    rejections = min(bucket.rejections, 10) + 1 if bucket.slow > now else 1
    backoff = min(MAX_PAUSE, 2.0**rejections) * random.uniform(0.5, 1.0)  # noqa: S311  no secret
    pause = max(bucket.pause, now + (retry_after or backoff))
    bucket = replace(bucket, pause=pause, slow=pause + SLOW_SECONDS, rejections=rejections)
    return bucket, pause - now
