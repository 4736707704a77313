"""A service that fails again and again is left alone for a while; then exactly one request tries it."""

from msgspec import Struct
from msgspec.structs import replace

from econweb.upstream import clock
from econweb.upstream.errors import Unavailable
from econweb.upstream.shared import Shared
from econweb.upstream.store import Store

FAILURES = 5
FIRST_REST, LONGEST_REST = 5.0, 60.0


class Mood(Struct, frozen=True, array_like=True):
    """`rests` counts how often it was left alone in a row; while it is not 0 only a probe may ask."""

    failures: int = 0
    rests: int = 0
    until: float = 0.0


class Breaker:
    """`probe_seconds`: a probe that has said nothing by then is taken for lost."""

    def __init__(self, store: Store, probe_seconds: float) -> None:
        self._probe_seconds = probe_seconds
        self._mood = Shared(store, "breaker", Mood())

    def check(self) -> None:
        """Says no early to who would not get through anyway."""
        mood = self._mood.get()
        now = clock.now()
        if self._rests(mood, now):
            raise _left_alone()

    def enter(self, patience: float) -> bool:
        """Whether the request is the probe. Who is let through reports how it went."""
        mood, probes = self._mood.change(lambda mood: self._entered(mood, clock.now()), patience)
        if mood.rests and not probes:
            raise _left_alone()
        return probes

    def report(self, good: bool, probe: bool, patience: float) -> None:
        self._mood.change(lambda mood: (_after(mood, clock.now(), good, probe), None), patience)

    def state(self) -> str:
        mood = self._mood.get()
        if not mood.rests:
            return "closed"
        return "open" if self._rests(mood, clock.now()) else "half open"

    def _entered(self, mood: Mood, now: float) -> tuple[Mood, tuple[Mood, bool]]:
        probes = bool(mood.rests) and not self._rests(mood, now)
        if probes:
            # Until the probe reports, all others see a rest that goes on.
            mood = replace(mood, until=now + self._probe_seconds)
        return mood, (mood, probes)

    def _rests(self, mood: Mood, now: float) -> bool:
        """A clock that was put back does not prolong a rest."""
        return bool(mood.rests) and 0 < mood.until - now <= max(LONGEST_REST, self._probe_seconds)


def _after(mood: Mood, now: float, good: bool, probe: bool) -> Mood:
    if mood.rests and not probe:
        # It was asked before the rest began, and says nothing new.
        return mood
    if good:
        return Mood()
    failures = mood.failures + 1
    if not probe and failures < FAILURES:
        return replace(mood, failures=failures)
    rest = min(LONGEST_REST, FIRST_REST * 2**mood.rests)
    return Mood(failures, min(mood.rests, 10) + 1, now + rest)


def _left_alone() -> Unavailable:
    # A number of seconds would stand still on a page, and be written into files.
    return Unavailable("The service failed several times in a row. It will be asked again shortly.")
