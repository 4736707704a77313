"""Checks of a list: differences between descriptions that make series hard to use together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from econweb.dashboard.series.span import is_discontinued
from econweb.upstream.records import Series

# Days after the last observation until the next one is late: its period, and a generous time to publish it.
# An observation is dated by the first day of its period.
LATE_AFTER = {"D": 14, "W": 28, "BW": 42, "M": 100, "Q": 230, "SA": 420, "A": 800}
# Of the series that differ from most. A longer list would repeat the table.
MAX_NAMED_IDS = 5
# Fields that should be equal before the columns of a table can be compared.
_FIELDS_TO_SHARE = {
    "frequency": "frequencies",
    "units": "units",
    "seasonal_adjustment": "seasonal adjustments",
}


@dataclass(frozen=True)
class Finding:
    """One message to the user, and the series that it concerns."""

    kind: str
    words: str
    ids: tuple[str, ...] = ()


def find_oddities(seriess: Sequence[Series], as_of: date) -> list[Finding]:
    return [*_find_mixed(seriess), *_find_ended(seriess), *_find_late(seriess, as_of), *_find_apart(seriess)]


def _find_mixed(seriess: Sequence[Series]) -> Iterator[Finding]:
    for name, plural in _FIELDS_TO_SHARE.items():
        counts = Counter(map(attrgetter(name), seriess)).most_common()
        if len(counts) > 1:
            # Directional isolates: marks of direction in one value must not turn the rest around.
            listed = ", ".join(f"\u2068{value}\u2069 ({count})" for value, count in counts)
            usual = counts[0][0]
            others = tuple(series.id for series in seriess if getattr(series, name) != usual)
            words = f"{len(counts)} {plural}: {listed}."
            if len(others) <= MAX_NAMED_IDS:
                yield Finding(name, f"{words} Not \u2068{usual}\u2069:", others)
            else:
                yield Finding(name, words)


def _find_ended(seriess: Sequence[Series]) -> Iterator[Finding]:
    if ids := tuple(series.id for series in seriess if is_discontinued(series)):
        yield Finding("discontinued", "Discontinued:", ids)


def _find_late(seriess: Sequence[Series], as_of: date) -> Iterator[Finding]:
    ids = tuple(series.id for series in seriess if is_late(series, as_of) and not is_discontinued(series))
    if ids:
        yield Finding("late", f"No new observation for long, seen from {as_of}:", ids)


def is_late(series: Series, as_of: date) -> bool:
    """Return whether a newer observation is overdue; False for an unknown frequency."""
    days = LATE_AFTER.get(series.frequency_short)
    return days is not None and (as_of - series.observation_end).days > days


def _find_apart(seriess: Sequence[Series]) -> Iterator[Finding]:
    if not seriess:
        return
    starts_last = max(seriess, key=attrgetter("observation_start"))
    ends_first = min(seriess, key=attrgetter("observation_end"))
    if starts_last.observation_start > ends_first.observation_end:
        words = (
            f"No period is covered by all: one ends {ends_first.observation_end}, "
            f"another begins {starts_last.observation_start}:"
        )
        yield Finding("apart", words, (ends_first.id, starts_last.id))
