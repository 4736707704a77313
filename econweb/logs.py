"""One log pipeline: text for a terminal or JSON for a collector, never a query string or a key."""

import logging
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import structlog
from structlog.typing import WrappedLogger

from econweb.upstream.redaction import hide, redact_record, redacted

# Django's words for requests that it refuses.
_OF_THE_SENDER = (
    "DisallowedHost",
    "DisallowedModelAdminLookup",
    "DisallowedModelAdminToField",
    "DisallowedRedirect",
    "RequestDataTooBig",
    "SuspiciousFileOperation",
    "SuspiciousMultipartForm",
    "SuspiciousOperation",
    "TooManyFieldsSent",
    "TooManyFilesSent",
)


def without_secrets(_logger: WrappedLogger, _method: str, line: str) -> str:
    """On the finished line: libraries print whole addresses, and the key in them."""
    return redacted(line)


def is_crash(record: logging.LogRecord) -> bool:
    """What was answered stands in our own line; how it broke stands only here."""
    return record.exc_info is not None


def without_trace(record: logging.LogRecord) -> bool:
    """A request that cannot be served is its sender's affair: the line says what was wrong with it."""
    record.exc_info = None
    return True


def configuration(log_format: str, secrets: Iterable[str]) -> dict[str, Any]:
    """The LOGGING setting; our own lines and those of libraries end in the same words."""
    for secret in secrets:
        hide(secret)
    structlog.configure(
        processors=[*_BEFORE, *_written(log_format)],
        # Straight to the stream: through the standard library a line would cost twice as much.
        logger_factory=_Stream,
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"structlog": _formatter(log_format)},
        "filters": {
            "redacted": {"()": lambda: redact_record},
            "crashes": {"()": lambda: is_crash},
            "without_trace": {"()": lambda: without_trace},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structlog"}},
        "root": {"handlers": ["stderr"], "level": "INFO", "filters": ["redacted"]},
        "loggers": {
            # A filter works on what its own logger is given, so that no other handler gets more than ours.
            "urllib3": {"filters": ["redacted"]},
            "urllib3.connectionpool": {"filters": ["redacted"]},
            "urllib3.util.retry": {"filters": ["redacted"]},
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # One line a request is ours (middleware.py); Django's would repeat it.
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.request": {"filters": ["crashes"]},
            **{f"django.security.{name}": {"filters": ["without_trace"]} for name in _OF_THE_SENDER},
        },
    }


class _Stream:
    """Where our lines go; a disk behind it that is full takes no answer along."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, line: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")

    # What structlog calls, by the level of the line.
    debug = info = warning = error = critical = write


_BEFORE: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def _written(log_format: str) -> list[Any]:
    terminal = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    rendered = structlog.processors.JSONRenderer() if log_format == "json" else terminal
    return [structlog.processors.format_exc_info, rendered, without_secrets]


def _formatter(log_format: str) -> dict[str, Any]:
    """For what libraries and Django write."""
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [
            *_BEFORE,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ExtraAdder(allow=["status_code"]),
        ],
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_written(log_format)],
    }
