"""The verdict on one series id: what is wrong with it now, and what changed since a day."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from econweb.dashboard.series.changes import BASE_YEAR, find_values
from econweb.dashboard.series.lateness import is_late
from econweb.upstream.records import Series, is_discontinued

FINE, PENDING, UNKNOWN = "fine", "not checked", "cannot tell"
# Of a word that cannot be an id.
NOT_AN_ID = "not an id"
# Of an id of which no version is known, and of one whose last version ended.
NOT_FOUND, GONE, DISCONTINUED, LATE = "not found", "gone", "discontinued", "late"
# The verdict on each field that changed.
_CHANGED = {
    "units": "units changed",
    "frequency": "frequency changed",
    "seasonal_adjustment": "adjustment changed",
    "title": "renamed",
}
BASE_YEAR_CHANGED = "base year changed"
# The worst first: of several verdicts on an id, the first of these is the one of its row.
VERDICTS = (
    NOT_AN_ID,
    NOT_FOUND,
    GONE,
    BASE_YEAR_CHANGED,
    *_CHANGED.values(),
    DISCONTINUED,
    LATE,
    UNKNOWN,
    PENDING,
    FINE,
)
# On pages one verdict has the words of the series list and of Help; files have the short one.
_WORDS = {LATE: "no recent data"}
_MARK = re.compile(r" {0,9}\(DISCONTINUED\)", re.IGNORECASE)


class Finding(NamedTuple):
    """One verdict on an id, and the sentence that explains it."""

    verdict: str
    reason: str
    # The first day on which the id can be judged, where the given one is earlier.
    since: date | None = None


def in_words(verdict: str) -> str:
    """Return the verdict as pages say it."""
    return _WORDS.get(verdict, verdict)


def judge_now(series: Series, today: date) -> Iterator[Finding]:
    """Yield what the record of today says; nothing where it is fine."""
    if is_discontinued(series.title):
        yield Finding(DISCONTINUED, "Its title says so.")
    elif is_late(series, today):
        updated = series.last_updated.partition(" ")[0]
        yield Finding(LATE, f"Last observation {series.observation_end}, last update {updated}.")


def judge_since(versions: Sequence[Series], now: Series, since: date) -> Iterator[Finding]:
    """Yield what differs between the version of a day and the record of today."""
    then = next((one for one in reversed(versions) if one.realtime_start <= since <= one.realtime_end), None)
    if then is None:
        yield _explain_gap(versions, since)
        return
    later = [one for one in versions if one.realtime_start > then.realtime_start]
    for field, verdict in _CHANGED.items():
        if field == "title" and _without_mark(then.title) == _without_mark(now.title):
            # Another verdict says that it was discontinued.
            continue
        for change in find_values(then, now, (field,)):
            begun = _find_begin(later, field, now)
            reason = f"{change.label} was “{change.was}” on {since}, and {_name_value(change.became, begun)}."
            yield Finding(BASE_YEAR_CHANGED if change.label == BASE_YEAR else verdict, reason)


def _explain_gap(versions: Sequence[Series], since: date) -> Finding:
    first = min((one.realtime_start for one in versions), default=None)
    if first is None or first < since:
        return Finding(UNKNOWN, f"The provider has no record of {since}.")
    return Finding(UNKNOWN, f"The provider has no record before {first}.", first)


def _without_mark(title: str) -> str:
    return _MARK.sub("", title).strip()


def _find_begin(later: Sequence[Series], field: str, now: Series) -> date | None:
    """Return the day since which the field has its value of today; None where no version says so."""
    begun = None
    for version in reversed(later):
        if getattr(version, field) != getattr(now, field):
            break
        begun = version.realtime_start
    return begun


def _name_value(became: str, begun: date | None) -> str:
    return f"has been “{became}” since {begun}" if begun else f"is “{became}”"
