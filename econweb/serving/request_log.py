"""The id and the log line of a request, from Django or from the response cache."""

import re
import time
from secrets import token_hex

import structlog

log = structlog.get_logger("econweb.requests")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def choose_request_id(given: str) -> str:
    """Return the proxy's id if it is well formed, otherwise a new one."""
    return given if _REQUEST_ID.fullmatch(given) else token_hex(16)


def log_response(method: str, path: str, status: int, started: float, **more: str) -> None:
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    log.info(method, path=path, status=status, ms=milliseconds, **more)
