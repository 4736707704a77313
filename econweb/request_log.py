"""The id and the log line of a request, whoever answers it."""

import re
import time
from secrets import token_hex

import structlog

log = structlog.get_logger("econweb.requests")
_GOOD_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def identity_of(given: str) -> str:
    """The one that a proxy gave, when nothing but an id can be in it."""
    return given if _GOOD_ID.fullmatch(given) else token_hex(16)


def log_answer(method: str, path: str, status: int, begun: float, **more: str) -> None:
    milliseconds = round((time.perf_counter() - begun) * 1000, 1)
    log.info(method, path=path, status=status, ms=milliseconds, **more)
