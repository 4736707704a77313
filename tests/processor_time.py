"""Processor time of the calling thread: other work on the machine hardly changes it."""

import time
from collections.abc import Callable


def processor_seconds(call: Callable[[], object], tries: int = 5) -> float:
    """Return the least of several tries."""

    def once() -> float:
        begun = time.thread_time()
        call()
        return time.thread_time() - begun

    return min(once() for _ in range(tries))
