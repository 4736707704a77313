"""Scatter plot of tags: popularity upwards, series to the right on a logarithmic scale."""

import math
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.groups import css_class
from econweb.dashboard.tags.dot_names import HEIGHT, WIDTH, render_names
from econweb.upstream.records import Tag

# Below a table, and on the profile page: a dot with its name takes a hundred bytes.
MAX_INLINE_DOTS, MAX_DOTS = 200, 1000
# Dots that the Tab key stops at.
MAX_TAB_STOPS = 25


class Axes(NamedTuple):
    """The part of both scales that the tags need."""

    # Popularity, in steps of ten.
    lowest: int
    highest: int
    # Powers of ten of the number of series.
    first: int
    last: int

    def position(self, tag: Tag) -> tuple[int, int]:
        right = (math.log10(max(tag.series_count, 1)) - self.first) / (self.last - self.first)
        up = (min(max(tag.popularity, 0), 100) - self.lowest) / (self.highest - self.lowest)
        return round(WIDTH * right), round(HEIGHT * (1 - up))


def render_scatter_plot(shown: Sequence[Tag]) -> SafeString:
    """Draw one dot for all tags of a place; the tags come with the largest first."""
    axes = _find_axes(shown)
    places: defaultdict[tuple[int, int], list[Tag]] = defaultdict(list)
    for tag in shown:
        places[axes.position(tag)].append(tag)
    circles = "".join([_dot(tags, position, at < MAX_TAB_STOPS) for at, (position, tags) in enumerate(places.items())])
    box = f'role=group aria-labelledby=dots-name viewBox="-34 -26 {WIDTH + 64} {HEIGHT + 64}"'
    # Every value of the service went through escape().
    return mark_safe(f"<svg class=dots {box}>{_draw_axes(axes)}{circles}{render_names(places)}</svg>")  # noqa: S308


def _find_axes(shown: Sequence[Tag]) -> Axes:
    """Begin and end each scale at the round number next to the outermost tag."""
    ranks = [min(max(tag.popularity, 0), 100) for tag in shown]
    lowest, fewest = min(min(ranks) // 10 * 10, 90), max(shown[-1].series_count, 1)
    first = int(math.log10(fewest))
    last = math.ceil(math.log10(max(shown[0].series_count, 2)))
    return Axes(lowest, max(-(-max(ranks) // 10) * 10, lowest + 10), first, max(last, first + 1))


def _draw_axes(axes: Axes) -> str:
    """Draw lines, ticks, numbers and labels."""
    decades = axes.last - axes.first
    step, half = WIDTH // decades, HEIGHT // 2
    line = f"M-4 0h4v{half}h-4h4v{half}h-4h4v4v-4{f'h{step}v4v-4' * decades}"
    ranks = (axes.highest, (axes.highest + axes.lowest) // 2, axes.lowest)
    upwards = zip(ranks, (5, half + 5, HEIGHT + 5), strict=True)
    numbers = [f"<text x=-8 y={y}>{number}</text>" for number, y in upwards]
    numbers += [
        f"<text x={step * n} y={HEIGHT + 20}>{_short(10 ** (axes.first + n))}</text>" for n in range(decades + 1)
    ]
    names = f"<text x=-34 y=-14>popularity</text><text x={WIDTH + 28} y={HEIGHT + 36}>series</text>"
    return f"<path d={line.replace(' ', ',')} />{''.join(numbers)}{names}"


def _short(number: int) -> str:
    """Shorten a number, such as 1k for 1,000, so that seven numbers fit under the axis."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def _dot(tags: Sequence[Tag], position: tuple[int, int], is_stop: bool) -> str:
    """Draw the tags of one place in the colour of the largest. Different numbers are seldom at one place."""
    names: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for tag in tags:
        names[tag.series_count, tag.popularity].append(tag.name)
    words = "; ".join(
        [f"{', '.join(of)}: {count:,} series, popularity {rank:,}" for (count, rank), of in names.items()]
    )
    drawn = f"class={css_class(tags[0].group_id)} cx={position[0]} cy={position[1]}{' tabindex=0' if is_stop else ''}"
    return f"<circle {drawn} role=img><title>{escape(words)}</title></circle>"
