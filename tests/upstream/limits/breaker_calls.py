"""Calls of a circuit breaker: failures, and whether it lets a request through."""

from econweb.upstream.errors import Unavailable
from econweb.upstream.limits.circuit_breaker import CircuitBreaker


def fail(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.report("It fails.", is_probe=breaker.enter(1.0), patience=1.0)


def lets_through(breaker: CircuitBreaker, callers: int = 10) -> int:
    """Return how many of these callers may send a request."""
    through = 0
    for _ in range(callers):
        try:
            breaker.check()
            breaker.enter(1.0)
        except Unavailable:
            continue
        through += 1
    return through
