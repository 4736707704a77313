"""The picture of a comparison: a line for each tag, with a mark of each source at its share."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from econweb.dashboard.comparison.summary import largest_gaps
from econweb.dashboard.comparison.tags import ComparedTag

MAX_LINES = 15
QUARTERS = (0, 25, 50, 75, 100)


@dataclass(frozen=True)
class Mark:
    """One source on a line; `position` is in percent of the line."""

    letter: str
    position: float


@dataclass(frozen=True)
class Line:
    """One tag in the picture."""

    name: str
    marks: tuple[Mark, ...]

    @property
    def left(self) -> float:
        return min(mark.position for mark in self.marks)

    @property
    def right(self) -> float:
        return max(mark.position for mark in self.marks)


@dataclass(frozen=True)
class Picture:
    """Lines for the tags that all sources have, the largest gap first."""

    lines: tuple[Line, ...]
    # Position and text of the labels of the scale.
    scale: tuple[tuple[int, str], ...]
    has_shares: bool
    # The number of tags that could have a line.
    total: int


def draw(rows: Sequence[ComparedTag], letters: str, has_shares: bool) -> Picture:
    in_all = largest_gaps(rows)
    shown = in_all[:MAX_LINES]
    # All counts may be 0.
    longest = 100 if has_shares else max(chain([1], *(row.sizes for row in shown)))
    lines = tuple(Line(row.name, tuple(_draw_marks(row, letters, longest))) for row in shown)
    scale = (
        tuple((at, f"{at}\N{NO-BREAK SPACE}%") for at in QUARTERS) if has_shares else ((0, "0"), (100, f"{longest:,}"))
    )
    return Picture(lines, scale, has_shares, len(in_all))


def _draw_marks(row: ComparedTag, letters: str, longest: float) -> list[Mark]:
    # Shares of approximate counts may exceed 100 %.
    return [
        Mark(letter, round(100 * min(size / longest, 1), 2)) for letter, size in zip(letters, row.sizes, strict=True)
    ]
