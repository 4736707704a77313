"""The rule by which a newer observation of a series is overdue."""

from datetime import date

from econweb.upstream.records import Series

# Days after the last observation until the next one is late: its period, and a generous time to publish it.
# An observation is dated by the first day of its period.
LATE_AFTER = {"D": 14, "W": 28, "BW": 42, "M": 100, "Q": 230, "SA": 420, "A": 800}
FREQUENCIES = {
    "D": "Daily",
    "W": "Weekly",
    "BW": "Biweekly",
    "M": "Monthly",
    "Q": "Quarterly",
    "SA": "Semiannual",
    "A": "Annual",
}
# Of 730 recorded series, 41 are older than that and still updated: their publishers need more time. An update excuses
# no series without an observation for this many times as long.
MAX_LATENESS = 3
# A time stamp of a zone in the east may be of tomorrow.
_TOMORROW = -1


def is_late(series: Series, as_of: date) -> bool:
    """Return whether a newer observation is overdue; False for an unknown frequency."""
    days = LATE_AFTER.get(series.frequency_short)
    if days is None:
        return False
    age = (as_of - series.observation_end).days
    return age > MAX_LATENESS * days or (age > days and not _is_updated(series, as_of, days))


def _is_updated(series: Series, as_of: date, days: int) -> bool:
    """Return whether the last update is at most so old; one after the day says nothing about it."""
    try:
        updated = date.fromisoformat(series.last_updated[:10])
    except ValueError:
        return False
    return _TOMORROW <= (as_of - updated).days <= days
