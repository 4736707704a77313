"""Progress of a long command: a bar on a terminal, otherwise a log line every ten seconds."""

import time
from typing import Self, TextIO

import structlog

log = structlog.get_logger("econweb.catalogue")
BAR = 30


class Progress:
    """Counts the bytes read."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._seconds_between = 0.1 if out.isatty() else 10.0
        self._expected = self._done = 0
        self._begun = self._shown = 0.0

    def expect(self, amount: int) -> None:
        self._expected += amount
        self._begun = self._shown = time.monotonic()

    def advance(self, amount: int) -> None:
        self._done += amount
        now = time.monotonic()
        if now - self._shown >= self._seconds_between:
            self._shown = now
            self._show(now - self._begun)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Clear the bar, so that the next output starts on an empty line."""
        if self._out.isatty():
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _show(self, seconds: float) -> None:
        share = min(self._done / self._expected, 1.0)
        rate = self._done / seconds / 1e6
        left = round(seconds / share - seconds)
        if self._out.isatty():
            bar = "█" * round(share * BAR)
            self._out.write(f"\r{bar:░<{BAR}} {share:4.0%}  {rate:.1f} MB/s  {left} s left \x1b[K")
            self._out.flush()
        else:
            log.info("reading the catalogue", done=f"{share:.0%}", rate=f"{rate:.1f} MB/s", seconds_left=left)
