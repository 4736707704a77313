"""What makes series hard to use together, seen from their descriptions alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from econweb.dashboard.versions import discontinued
from econweb.upstream.records import Series

# Days after the last observation (which is dated by the first day of its period) until a newer one is late:
# the period itself, and a generous time until its number is out.
LATE_AFTER = {"D": 14, "W": 28, "BW": 42, "M": 100, "Q": 230, "SA": 420, "A": 800}
# Of those that differ from most; more would be the table once again.
MOST_NAMED = 5
# Fields that a table of series has to share before its columns can be compared.
_ALIKE = {
    "frequency": "frequencies",
    "units": "units",
    "seasonal_adjustment": "seasonal adjustments",
}


@dataclass(frozen=True)
class Finding:
    """One thing to look at, in words, and the series that it is about."""

    kind: str
    words: str
    ids: tuple[str, ...] = ()


def lint(seriess: Sequence[Series], as_of: date) -> list[Finding]:
    return [*_mixed(seriess), *_ended(seriess), *_late(seriess, as_of), *_apart(seriess)]


def _mixed(seriess: Sequence[Series]) -> Iterator[Finding]:
    for name, plural in _ALIKE.items():
        counts = Counter(map(attrgetter(name), seriess)).most_common()
        if len(counts) > 1:
            # Isolated, so that marks of direction in one value do not turn the rest around.
            listed = ", ".join(f"\u2068{value}\u2069 ({count})" for value, count in counts)
            usual = counts[0][0]
            others = tuple(series.id for series in seriess if getattr(series, name) != usual)
            words = f"{len(counts)} {plural}: {listed}."
            if len(others) <= MOST_NAMED:
                yield Finding(name, f"{words} Not \u2068{usual}\u2069:", others)
            else:
                yield Finding(name, words)


def _ended(seriess: Sequence[Series]) -> Iterator[Finding]:
    if ids := tuple(series.id for series in seriess if discontinued(series)):
        yield Finding("discontinued", "Discontinued:", ids)


def _late(seriess: Sequence[Series], as_of: date) -> Iterator[Finding]:
    ids = tuple(series.id for series in seriess if is_late(series, as_of) and not discontinued(series))
    if ids:
        yield Finding("late", f"No new observation for long, seen from {as_of}:", ids)


def is_late(series: Series, as_of: date) -> bool:
    """A frequency that is not known is never late."""
    days = LATE_AFTER.get(series.frequency_short)
    return days is not None and (as_of - series.observation_end).days > days


def _apart(seriess: Sequence[Series]) -> Iterator[Finding]:
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
