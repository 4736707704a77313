"""The competition of visitors for connections and for the rate limit."""

import math

from econweb.upstream import clock


class Competition:
    """It begins when another visitor than the last one sends a request, and ends `seconds` after that."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = ""
        self._ends = -math.inf

    def note(self, visitor: str) -> None:
        """Note a request; one of no visitor, such as that of a background thread, is not counted."""
        if not visitor:
            return
        if self._last not in {"", visitor}:
            self._ends = clock.steady() + self._seconds
        self._last = visitor

    def is_on(self) -> bool:
        return clock.steady() < self._ends
