"""The catalogue that was loaded last: its edition, and whether it is the sample that comes with econweb."""

import time

from django.conf import settings
from django.db import DatabaseError, transaction

from econweb.search_index.models import IndexState
from econweb.search_index.titles import title_index


class _Memory:
    """The last answer of the database, and until when it is good."""

    # The edition, and whether it is the sample: one value, so that no thread sees one of them changed alone.
    state = ("", False)
    good_until = 0.0


def record_catalogue(edition: str, has_sample: bool) -> None:
    """Record the loaded catalogue, and whether it is the sample."""
    if not IndexState.objects.filter(edition=edition, has_sample=has_sample).exists():
        with transaction.atomic():
            title_index.lock_state()
            IndexState.objects.update(edition=edition, has_sample=has_sample)
    _Memory.good_until = 0.0


def shows_sample() -> bool:
    """Return whether the data are the sample, from memory: every page says it."""
    return not settings.ECON_BASE_URL and _state()[1]


def current_edition(renew: bool = False) -> str:
    """Return the identity of the loaded catalogue; empty for another service, and before the first load."""
    return "" if settings.ECON_BASE_URL else _state(renew)[0]


def _state(renew: bool = False) -> tuple[str, bool]:
    if renew or time.monotonic() >= _Memory.good_until:
        # As often as the embedded service looks for another catalogue.
        _Memory.state, _Memory.good_until = _read_state(), time.monotonic() + settings.CATALOGUE_RECHECK_SECONDS
    return _Memory.state


def _read_state() -> tuple[str, bool]:
    """Ask the database; files and pages are also there when it is not, and say what it said last."""
    try:
        return IndexState.objects.values_list("edition", "has_sample").first() or ("", False)
    except DatabaseError:
        return _Memory.state
