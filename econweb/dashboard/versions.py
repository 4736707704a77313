"""The record of a series laid out for reading: its span as a line, and what each version of it changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from econweb.dashboard.fields import FIELDS, name_of
from econweb.upstream.records import Series

# What two versions can differ in.
_DESCRIPTION = tuple(name for name in FIELDS if name not in {"id", "realtime_start", "realtime_end"})
WIDTH = 600


@dataclass(frozen=True)
class Change:
    """One field as it was, and as the version after it says."""

    name: str
    was: object
    became: object


@dataclass(frozen=True)
class Version:
    """One description, and how the next one differs from it."""

    series: Series
    changes: tuple[Change, ...]
    # Where its period lies on the drawing of all versions.
    x: int
    width: int


@dataclass(frozen=True)
class Span:
    """Observations on an axis of years."""

    x: float
    width: float
    ticks: tuple[tuple[float, int], ...]


def versions(seriess: Sequence[Series]) -> list[Version]:
    """Newest first, as they are read."""
    first, last = seriess[0].realtime_start.toordinal(), _end(seriess[-1], seriess).toordinal()
    scale = WIDTH / max(last - first, 1)
    found = []
    for series, following in zip(seriess, [*seriess[1:], None], strict=True):
        x = round((series.realtime_start.toordinal() - first) * scale)
        width = round((_end(series, seriess).toordinal() - series.realtime_start.toordinal()) * scale)
        found.append(Version(series, tuple(_changes(series, following)), x, max(width, 2)))
    return found[::-1]


def _end(series: Series, seriess: Sequence[Series]) -> date:
    """A period that is open ends nowhere; drawn, it gets some room behind the last beginning."""
    if series.realtime_end.year < 9999:
        return series.realtime_end
    first, last = seriess[0].realtime_start, seriess[-1].realtime_start
    return date.fromordinal(min(last.toordinal() + max((last - first).days // 3, 365), date.max.toordinal()))


def _changes(series: Series, following: Series | None) -> Iterator[Change]:
    if following:
        for field in _DESCRIPTION:
            was, became = getattr(series, field), getattr(following, field)
            if was != became:
                yield Change(name_of(field), was, became)


def span(series: Series) -> Span:
    """From the decade of the first observation to the end of the decade of the last."""
    start = series.observation_start.year // 10 * 10
    end = max(series.observation_end.year // 10 * 10 + 10, start + 10)
    scale = WIDTH / (end - start)
    begun = (_years(series.observation_start) - start) * scale
    width = (_years(series.observation_end) - _years(series.observation_start)) * scale
    every = 10 * max(1, round((end - start) / 50))
    # The last one must not run into the label of the end.
    years = [*range(start, end - every // 2, every), end]
    ticks = tuple(((year - start) * scale, year) for year in years)
    return Span(round(begun, 1), round(max(width, 2), 1), ticks)


def _years(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 366


def discontinued(series: Series) -> bool:
    """The service says it nowhere but in the title."""
    return "(DISCONTINUED)" in series.title.upper()
