"""The sample data that come with econweb: whether pages show them."""

import time

from django.conf import settings
from django.db import DatabaseError, transaction

from econweb.search_index.models import IndexState
from econweb.search_index.titles import title_index

MAX_AGE_SECONDS = 10.0


class _Memory:
    """The last answer of the database, and until when it is good."""

    has_sample = False
    good_until = 0.0


def record_sample(has_sample: bool) -> None:
    """Record whether the loaded catalogue is the sample."""
    if IndexState.objects.filter(has_sample=True).exists() != has_sample:
        with transaction.atomic():
            title_index.lock_state()
            IndexState.objects.update(has_sample=has_sample)
    _Memory.good_until = 0.0


def shows_sample() -> bool:
    """Return whether the data are the sample, from memory: every page says it."""
    if settings.ECON_BASE_URL:
        return False
    if time.monotonic() >= _Memory.good_until:
        _Memory.has_sample, _Memory.good_until = _has_sample(), time.monotonic() + MAX_AGE_SECONDS
    return _Memory.has_sample


def _has_sample() -> bool:
    """Ask the database; files and pages are also there when it is not, and say what it said last."""
    try:
        return IndexState.objects.filter(has_sample=True).exists()
    except DatabaseError:
        return _Memory.has_sample
