"""Two clocks: the wall clock, which can be set back, and a monotonic one, which cannot."""

import time
from datetime import UTC, datetime


def now() -> float:
    """Return wall-clock seconds, used to stamp cached and shared values."""
    return time.time()


def utc_now() -> datetime:
    return datetime.fromtimestamp(now(), UTC)


def steady() -> float:
    """Return seconds of this machine's monotonic clock."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    if seconds > 0:
        time.sleep(seconds)


class Deadline:
    """The moment by which an answer has to be there, retries and waits included."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        return max(0.0, self._end - time.monotonic())
