"""The span of the observations of a series on an axis of years."""

from dataclasses import dataclass
from datetime import date

from econweb.upstream.records import Series

# Positions are in percent of the width, so that letters have one size on every screen.
WIDTH = 100
# Of what is drawn, so that it is seen.
MIN_WIDTH = 0.4


@dataclass(frozen=True)
class Span:
    """Observations on an axis of years."""

    x: float
    width: float
    ticks: tuple[tuple[float, int], ...]


def draw_span(series: Series) -> Span:
    """Return the span on an axis of whole decades."""
    start = series.observation_start.year // 10 * 10
    end = max(series.observation_end.year // 10 * 10 + 10, start + 10)
    scale = WIDTH / (end - start)
    left = (_to_years(series.observation_start) - start) * scale
    width = (_to_years(series.observation_end) - _to_years(series.observation_start)) * scale
    every = 10 * max(1, round((end - start) / 50))
    # The last year must not overlap the label of the end.
    years = [*range(start, end - every // 2, every), end]
    ticks = tuple((round((year - start) * scale, 1), year) for year in years)
    return Span(round(left, 1), round(max(width, MIN_WIDTH), 1), ticks)


def _to_years(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 366
