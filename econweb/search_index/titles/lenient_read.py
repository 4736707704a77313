"""Reads of the index whose failure leaves the rest of a page as it is."""

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import DatabaseError

Result = TypeVar("Result")
log = structlog.get_logger("econweb.search_index")


def read_or(read: Callable[[], Result], otherwise: Result) -> Result:
    """Return what is read, or the other value where the database fails."""
    try:
        return read()
    except DatabaseError:
        log.warning("the index of series titles cannot be read")
        return otherwise
