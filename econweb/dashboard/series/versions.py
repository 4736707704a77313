"""Drawings and differences of a series: its span on a time line, and the changes of each version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from econweb.dashboard.display.fields import FIELDS, field_label
from econweb.upstream.records import Series

# Fields in which two versions can differ.
_DESCRIPTION = tuple(name for name in FIELDS if name not in {"id", "realtime_start", "realtime_end"})
WIDTH = 600


@dataclass(frozen=True)
class Change:
    """One field before and after a change."""

    name: str
    was: object
    became: object


@dataclass(frozen=True)
class Version:
    """One description, and the changes that the next one made."""

    series: Series
    changes: tuple[Change, ...]
    # Place of its period on the drawing of all versions.
    x: int
    width: int


@dataclass(frozen=True)
class Span:
    """Observations on an axis of years."""

    x: float
    width: float
    ticks: tuple[tuple[float, int], ...]


def list_versions(seriess: Sequence[Series]) -> list[Version]:
    """Return the versions, newest first."""
    first, last = seriess[0].realtime_start.toordinal(), _find_end(seriess[-1], seriess).toordinal()
    scale = WIDTH / max(last - first, 1)
    found = []
    for series, following in zip(seriess, [*seriess[1:], None], strict=True):
        x = round((series.realtime_start.toordinal() - first) * scale)
        width = round((_find_end(series, seriess).toordinal() - series.realtime_start.toordinal()) * scale)
        found.append(Version(series, tuple(_find_changes(series, following)), x, max(width, 2)))
    return found[::-1]


def _find_end(series: Series, seriess: Sequence[Series]) -> date:
    """Return the end to draw: an open period gets some space after the last start."""
    if series.realtime_end.year < 9999:
        return series.realtime_end
    first, last = seriess[0].realtime_start, seriess[-1].realtime_start
    return date.fromordinal(min(last.toordinal() + max((last - first).days // 3, 365), date.max.toordinal()))


def _find_changes(series: Series, following: Series | None) -> Iterator[Change]:
    if following:
        for field in _DESCRIPTION:
            was, became = getattr(series, field), getattr(following, field)
            if was != became:
                yield Change(field_label(field), was, became)


def span(series: Series) -> Span:
    """Return the span on an axis of whole decades."""
    start = series.observation_start.year // 10 * 10
    end = max(series.observation_end.year // 10 * 10 + 10, start + 10)
    scale = WIDTH / (end - start)
    begun = (_to_years(series.observation_start) - start) * scale
    width = (_to_years(series.observation_end) - _to_years(series.observation_start)) * scale
    every = 10 * max(1, round((end - start) / 50))
    # The last year must not overlap the label of the end.
    years = [*range(start, end - every // 2, every), end]
    ticks = tuple(((year - start) * scale, year) for year in years)
    return Span(round(begun, 1), round(max(width, 2), 1), ticks)


def _to_years(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 366


def is_discontinued(series: Series) -> bool:
    """Read it from the title: the service has no field for it."""
    return "(DISCONTINUED)" in series.title.upper()
