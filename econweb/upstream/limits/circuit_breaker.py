"""A circuit breaker: repeated failures stop all requests for a while, then one probe tries the service."""

import structlog
from msgspec import Struct
from msgspec.structs import replace

from econweb.upstream.cache.store import Store
from econweb.upstream.errors import Unavailable
from econweb.upstream.limits.shared_state import SharedState

FAILURES_TO_OPEN = 5
MIN_OPEN_SECONDS, MAX_OPEN_SECONDS = 5.0, 60.0
log = structlog.get_logger("econweb.upstream")


class BreakerState(Struct, frozen=True):
    """`open_count` counts how often the breaker opened in a row; 0 means closed, else only a probe may pass."""

    failures: int = 0
    open_count: int = 0
    until: float = 0.0
    # The words of the last failure; empty once the service answers.
    failure: str = ""


class CircuitBreaker:
    """A breaker for all workers; a probe that has not reported after `probe_seconds` is treated as lost."""

    def __init__(self, store: Store, probe_seconds: float) -> None:
        self._store, self._probe_seconds = store, probe_seconds
        self._state = SharedState(store, "breaker", BreakerState())

    def check(self) -> None:
        """Raise early, before the caller waits for its turn, if the breaker is open."""
        if self._is_open(self._state.get(), self._store.now()):
            raise _circuit_open()

    def enter(self, patience: float) -> bool:
        """Return whether the request is the probe, or raise; a caller that enters has to report."""
        state, is_probe = self._state.change(lambda state: self._enter(state, self._store.now()), patience)
        if state.open_count and not is_probe:
            raise _circuit_open()
        return is_probe

    def report(self, failure: str, is_probe: bool, patience: float) -> None:
        """Count a request: its failure in words, empty after a good answer."""

        def step(before: BreakerState) -> tuple[BreakerState, tuple[BreakerState, BreakerState]]:
            after = _next_state(before, self._store.now(), failure, is_probe)
            return after, (before, after)

        before, after = self._state.change(step, patience)
        if after.open_count and not before.open_count:
            log.warning(
                "the circuit breaker opened: the service failed several times in a row",
                failures=after.failures,
                failure=after.failure,
            )
        elif before.open_count and not after.open_count:
            log.warning("the circuit breaker closed: the service answers again", failures=before.failures)

    def state(self) -> str:
        state = self._state.get()
        if not state.open_count:
            return "closed"
        return "open" if self._is_open(state, self._store.now()) else "half open"

    def failure(self) -> str:
        """Return the words of the last failure; empty once the service answers."""
        return self._state.get().failure

    def _enter(self, state: BreakerState, now: float) -> tuple[BreakerState, tuple[BreakerState, bool]]:
        is_probe = bool(state.open_count) and not self._is_open(state, now)
        if is_probe:
            # Until the probe reports, the breaker stays open for all others.
            state = replace(state, until=now + self._probe_seconds)
        return state, (state, is_probe)

    def _is_open(self, state: BreakerState, now: float) -> bool:
        """A clock that was set back does not keep the breaker open longer."""
        return bool(state.open_count) and 0 < state.until - now <= max(MAX_OPEN_SECONDS, self._probe_seconds)


def _next_state(state: BreakerState, now: float, failure: str, is_probe: bool) -> BreakerState:
    if state.open_count and not is_probe:
        # The request started before the breaker opened, so it says nothing new.
        return state
    if not failure:
        return BreakerState()
    failures = state.failures + 1
    if not is_probe and failures < FAILURES_TO_OPEN:
        return replace(state, failures=failures, failure=failure)
    seconds = min(MAX_OPEN_SECONDS, MIN_OPEN_SECONDS * 2**state.open_count)
    return BreakerState(failures, min(state.open_count, 10) + 1, now + seconds, failure)


def _circuit_open() -> Unavailable:
    # No number of seconds: it would not count down on a page, and would be written into files.
    return Unavailable("The data provider failed several times in a row. It will be asked again shortly.")
