"""The result of a drill: tried, lost, leaked, and the time to recover."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.client import Load
from bench.servers import Server
from bench.service import KEY

# One probe of the breaker, or ten seconds.
LONGEST_RECOVERY = 10.0


@dataclass(frozen=True)
class Outcome:
    """`lost` and `leaked` are empty when all is well; `recovery` is in seconds, where something broke."""

    name: str
    tried: str
    lost: str = ""
    leaked: str = ""
    recovery: float | None = None
    noted: str = ""
    longest: float = LONGEST_RECOVERY

    @property
    def good(self) -> bool:
        return not self.lost and not self.leaked and (self.recovery or 0.0) <= self.longest

    def line(self) -> str:
        recovery = "" if self.recovery is None else f"{self.recovery:.1f} s"
        verdict = "good" if self.good else "BAD"
        cells = (self.name, self.tried, self.lost or "nothing", self.leaked or "nothing", recovery)
        return f"| {' | '.join([*cells, self.noted, verdict])} |"


def not_in(load: Load, allowed: Iterable[str], may_be_lost: int = 0) -> str:
    """Answers of other kinds than the allowed, and requests without one."""
    others = {status: count for status, count in load.statuses.items() if status not in set(allowed)}
    parts = [f"{count} answers of status {status}" for status, count in others.items()]
    if load.lost > may_be_lost:
        parts.append(f"{load.lost} requests without an answer")
    if not load.requests:
        parts.append("no request was answered at all")
    return ", ".join(parts)


def secrets_in(server: Server, *bodies: bytes) -> str:
    """The service's key and a trace of the program, in answers and log; a crash that nobody caught."""
    log, sent = server.log(), b" ".join(bodies).decode(errors="replace")
    found = {
        "the key in the log": KEY in log,
        "the key in an answer": KEY in sent,
        "a trace in an answer": "Traceback" in sent or 'File "/' in sent,
        "a trace in the log": "Traceback (most recent" in log,
        "a crash": "Application callable raised" in log,
    }
    return ", ".join(what for what, is_so in found.items() if is_so)


def seconds_until(is_so: Callable[[], bool], most: float = 30.0) -> float:
    begun = time.monotonic()
    while not is_so():
        if time.monotonic() - begun > most:
            return float("inf")
        time.sleep(0.05)
    return time.monotonic() - begun
