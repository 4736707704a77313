"""Twins: series of one title, with the same units and frequency, that differ in their seasonal adjustment."""

import re
from collections.abc import Iterable
from hashlib import blake2b

from econweb.search_index.models import SeriesTitle
from econweb.search_index.titles.lenient_read import read_or
from econweb.search_index.titles.places import Record

MAX_TWINS = 5
# A title may name the adjustment as well.
_ADJUSTMENT = re.compile(
    r"\b(?:not |non-|smoothed )?seasonally (?:un)?adjusted(?: annual rate)?\b|[(\[](?:nsa|sa|saar)[)\]]"
)
_SEPARATORS = re.compile(r"[\s,:;()\[\]-]+")


def twin_key(record: Record) -> int | None:
    """Return a number that twins share; None if the record does not say enough."""
    if not (record.units and record.frequency and record.seasonal_adjustment):
        return None
    digest = blake2b("\0".join(_shared(record)).encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def find_twins(record: Record) -> list[Record]:
    """Return the twins in the index, the most popular first."""
    key = twin_key(record)
    if key is None:
        return []
    others = SeriesTitle.objects.filter(twin_key=key).exclude(seasonal_adjustment=record.seasonal_adjustment)
    rows = others.order_by("place").values_list(*Record._fields)[:MAX_TWINS]
    found: list[Record] = read_or(lambda: [Record(*row) for row in rows], [])
    # Another title may have the same number.
    return [one for one in found if _shared(one) == _shared(record)]


def find_twins_in(records: Iterable[Record], record: Record) -> list[Record]:
    """Return the twins among a few records in memory."""
    if twin_key(record) is None:
        return []
    found = [
        one
        for one in records
        if one.units == record.units
        and one.frequency == record.frequency
        and one.seasonal_adjustment not in {"", record.seasonal_adjustment}
        and _shared(one) == _shared(record)
    ]
    return sorted(found, key=lambda one: (-one.popularity, one.series_id))[:MAX_TWINS]


def _shared(record: Record) -> tuple[str, str, str]:
    """Return what twins have in common."""
    title = _SEPARATORS.sub(" ", _ADJUSTMENT.sub(" ", record.title.casefold())).strip()
    return title, record.units, record.frequency
