"""Two clocks: one that all workers share, and one that nobody can put back."""

import time


def now() -> float:
    """Seconds of the day's clock; what is kept and shared is stamped with it."""
    return time.time()


def sleep(seconds: float) -> None:
    if seconds > 0:
        time.sleep(seconds)


class Deadline:
    """The moment by which an answer has to be there, whatever happens on the way."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())
