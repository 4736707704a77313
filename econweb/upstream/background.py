"""Requests that no user waits for: their mark, and the waits of their threads after a failure."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

from django.conf import settings

from econweb.upstream.errors import Busy, UpstreamError

Result = TypeVar("Result")
in_background: ContextVar[bool] = ContextVar("in_background", default=False)
MIN_BUSY_SECONDS, MAX_BUSY_SECONDS = 0.05, 60.0
# Waits after failures of the service double up to the longest one.
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 5.0, 600.0


def has_background_share() -> bool:
    """Return whether requests may run in the background; without ECON_BASE_URL they count to no rate limit."""
    return not settings.ECON_BASE_URL or settings.ECON_BACKGROUND_SHARE > 0


def run_in_background(request: Callable[[], Result]) -> Result:
    """Send a request at low priority, and count it to the share of those in the background."""
    token = in_background.set(True)
    try:
        return request()
    finally:
        in_background.reset(token)


def seconds_after(error: UpstreamError, failures: int) -> float:
    """Return the seconds to wait after an error, which is the last of these failures in a row."""
    if isinstance(error, Busy):
        return min(max(error.retry_after, MIN_BUSY_SECONDS), MAX_BUSY_SECONDS)
    return min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2.0 ** min(failures - 1, 10))
