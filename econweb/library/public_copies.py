"""Frozen copies that everyone may see, and their number for a live view, which is at most ten seconds old."""

import time
from functools import lru_cache
from typing import TypeVar

import structlog
from django.db import DatabaseError
from django.db.models import Count, QuerySet

from econweb.library.models import FrozenCopy
from econweb.library.rights import visible_to

MAX_AGE_SECONDS = 10
# Views that are counted in one query. Where more of them have copies, each is counted in a query of its own, which
# takes as long as all the rest of an uncached page.
MAX_VIEWS = 5000
log = structlog.get_logger("econweb.library")
Found = TypeVar("Found")


def public_copies() -> QuerySet[FrozenCopy]:
    return FrozenCopy.objects.kept().filter(visible_to(None))


def count_copies(target: str) -> int:
    """Return the number of copies of a view by its canonical link, from memory: live pages say it."""
    period = int(time.time() // MAX_AGE_SECONDS)
    counts = _count_all(period)
    return _count(target, period) if counts is None else counts.get(target, 0)


@lru_cache(maxsize=1)
def _count_all(_period: int) -> dict[str, int] | None:
    """Return the number of copies of each view that has any; None where too many views have some."""
    try:
        counts = public_copies().values_list("target").annotate(Count("pk"))[: MAX_VIEWS + 1]
        return dict(counts) if len(counts) <= MAX_VIEWS else None
    except DatabaseError as error:
        return _log_failure(error, {})


@lru_cache(maxsize=1000)
def _count(target: str, _period: int) -> int:
    try:
        return public_copies().filter(target=target).count()
    except DatabaseError as error:
        return _log_failure(error, 0)


def _log_failure(error: DatabaseError, instead: Found) -> Found:
    """Return what live pages show without the database. It is cached as well: no page waits for each connection."""
    log.warning("frozen copies cannot be counted", kind=type(error).__name__)
    return instead
