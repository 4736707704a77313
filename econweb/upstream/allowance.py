"""How often the service may be asked: a bucket that fills steadily, for all workers together."""

import random

from msgspec import Struct
from msgspec.structs import replace

from econweb.upstream import clock
from econweb.upstream.errors import Busy
from econweb.upstream.exchange import LONGEST_TOLD
from econweb.upstream.shared import Shared
from econweb.upstream.store import Store

# After the service has complained: half of the allowance and no bursts, for so long.
SLOW_SECONDS = 300.0
# How long nobody asks when the service does not say it, at most.
LONGEST_PAUSE = 60.0
# By so much a wait may end too early on the day's clock.
_A_HAIR = 0.05


class Spent(Struct, frozen=True, array_like=True):
    """Moments on the day's clock."""

    # When the bucket is full again.
    full: float = 0.0
    # Nobody asks before this, by the service's own word.
    pause: float = 0.0
    slow: float = 0.0
    complaints: int = 0


class Allowance:
    """In no minute more than `per_minute` requests, bursts included."""

    def __init__(self, store: Store, per_minute: int) -> None:
        self.burst = min(10, max(1, per_minute // 12))
        # A minute may begin with a burst, so the steady rate leaves room for it.
        self._interval = 60.0 / (per_minute - self.burst + 1)
        self._spent = Shared(store, "allowance", Spent())

    def take(self, patience: float) -> None:
        """Waits for its turn; who would have to wait longer than `patience` takes nothing and is told."""
        deadline = clock.Deadline(patience)
        clock.sleep(
            self._spent.change(lambda spent: self._taken(spent, clock.now(), deadline.left()), patience)
        )

    def check(self) -> None:
        """The service may have complained while somebody waited for a turn, and then nobody asks."""
        now = clock.now()
        spent = _sane(self._spent.get(), now)
        wait = spent.pause - now
        if wait > _A_HAIR:
            raise _busy(spent, now, wait)

    def complained(self, told: float, patience: float) -> float:
        """The service has had too many requests; gives the seconds for which nobody asks it."""
        return self._spent.change(
            lambda spent: _paused(_sane(spent, clock.now()), clock.now(), told), patience
        )

    def left(self) -> int:
        """How many requests could go at once."""
        now = clock.now()
        spent = _sane(self._spent.get(), now)
        interval, burst = self._pace(spent, now)
        if spent.pause > now:
            return 0
        # A moment of the day is not exact enough to tell a full bucket from one that lacks a hair.
        return max(0, int(burst - max(0.0, spent.full - now) / interval + 0.001))

    def _taken(self, spent: Spent, now: float, patience: float) -> tuple[Spent, float]:
        spent = _sane(spent, now)
        interval, burst = self._pace(spent, now)
        wait = max(0.0, spent.pause - now, spent.full - (burst - 1) * interval - now)
        if wait > patience:
            raise _busy(spent, now, wait)
        return replace(spent, full=max(spent.full, now + wait) + interval), wait

    def _pace(self, spent: Spent, now: float) -> tuple[float, int]:
        return (2 * self._interval, 1) if spent.slow > now else (self._interval, self.burst)


def _busy(spent: Spent, now: float, wait: float) -> Busy:
    if spent.pause > now:
        return Busy("The service has asked this portal to wait.", wait)
    return Busy("This portal has used up its allowance of requests for the moment.", wait)


def _sane(spent: Spent, now: float) -> Spent:
    """A clock that was put back does not close the door for a day."""
    longest = now + LONGEST_TOLD + SLOW_SECONDS
    return Spent() if max(spent.full, spent.pause, spent.slow) > longest + 1 else spent


def _paused(spent: Spent, now: float, told: float) -> tuple[Spent, float]:
    complaints = min(spent.complaints, 10) + 1 if spent.slow > now else 1
    own = min(LONGEST_PAUSE, 2.0**complaints) * random.uniform(0.5, 1.0)  # noqa: S311  no secret
    seconds = told or own
    pause = max(spent.pause, now + seconds)
    spent = replace(spent, pause=pause, slow=pause + SLOW_SECONDS, complaints=complaints)
    return spent, pause - now
