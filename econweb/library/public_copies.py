"""Frozen copies that everyone may see, and their number for a live view, which is at most ten seconds old."""

import time
from functools import lru_cache

from django.db import DatabaseError
from django.db.models import QuerySet

from econweb.library.models import FrozenCopy
from econweb.library.rights import visible_to

MAX_AGE_SECONDS = 10


def public_copies() -> QuerySet[FrozenCopy]:
    return FrozenCopy.objects.kept().filter(visible_to(None))


def count_copies(target: str) -> int:
    """Return the number of copies of a view by its canonical link, from memory: live pages say it."""
    return _count(target, int(time.time() // MAX_AGE_SECONDS))


@lru_cache(maxsize=1000)
def _count(target: str, _period: int) -> int:
    try:
        return public_copies().filter(target=target).count()
    except DatabaseError:
        # Live pages work without the database.
        return 0
