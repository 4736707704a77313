"""The loop of `index --once` and `watch --once`."""

from collections.abc import Iterator
from typing import Protocol

from django.core.management.base import CommandError

from econweb.upstream import clock

# After the waits of `seconds_after` between them, 35 seconds.
MAX_FAILURES = 4


class Work(Protocol):
    """The reader of the index, or the watcher."""

    # Of the service, in a row.
    failures: int

    @property
    def is_idle(self) -> bool: ...

    def step(self) -> float: ...


def work_until_idle(work: Work) -> Iterator[float]:
    """Do all that is due, and yield the seconds before each further step; a kill loses nothing."""
    while True:
        pause = work.step()
        if work.is_idle:
            return
        if work.failures >= MAX_FAILURES:
            raise CommandError("The service fails. Start the command again: it continues where it stopped.")
        yield pause
        clock.sleep(pause)
