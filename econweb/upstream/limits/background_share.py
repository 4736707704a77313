"""The share of the rate limit for requests in the background, shared by all workers: evenly spaced, without bursts."""

from msgspec import Struct

from econweb.upstream.cache.store import Store
from econweb.upstream.limits.shared_state import SharedState

# The requests of the largest set of tags. A later turn comes from a clock that was moved.
MAX_REQUESTS_AHEAD = 20
# How long a caller waits for its turn to change the shared value.
_PATIENCE = 1.0


class ShareState(Struct, frozen=True):
    """The time of the next request, on the clock of the store."""

    turn: float = 0.0


class BackgroundShare:
    """Allow `per_minute` requests, which may be less than 1."""

    def __init__(self, store: Store, per_minute: float) -> None:
        self._store, self._interval = store, 60.0 / per_minute
        self._state = SharedState(store, "background_share", ShareState())

    def seconds_left(self) -> float:
        """Return the seconds until the next request may be sent."""
        return self._seconds_left(self._state.get(), self._store.now())

    def charge(self) -> None:
        """Count a request: one beyond the share delays the next ones."""
        self._state.change(self._charge, _PATIENCE)

    def _charge(self, state: ShareState) -> tuple[ShareState, None]:
        now = self._store.now()
        return ShareState(now + self._seconds_left(state, now) + self._interval), None

    def _seconds_left(self, state: ShareState, now: float) -> float:
        left = state.turn - now
        return max(0.0, left) if left <= MAX_REQUESTS_AHEAD * self._interval else self._interval
