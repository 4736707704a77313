"""Pictures of a view: how its tags share the series, what is used and looked for, when tags were made."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from html import escape
from operator import attrgetter

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.groups import hue_of, name_of
from econweb.upstream.queries import join_names
from econweb.upstream.records import Tag

# Group and how many of its tags are drawn.
BARS = (("freq", 6), ("seas", 4), ("geot", 4), ("gen", 6), ("src", 5))
# The largest tags have a dot with a name, those after them a mark.
NAMED, MOST_DOTS = 14, 180
LARGEST = 3
WIDTH, HEIGHT = 300, 150


@dataclass(frozen=True)
class Picture:
    """A heading, what is drawn under it, and how many tags it leaves out."""

    title: str
    html: SafeString
    # What of the query leads to the view that is drawn.
    leads_to: dict[str, str]
    left_out: int = 0


@dataclass(frozen=True)
class Profile:
    """What all tags of a view come to; a name in a picture is a button of the form around it."""

    tags: tuple[Tag, ...]
    series: int | None
    largest: tuple[Tag, ...]
    # What a full bar stands for: all series where their number is known.
    most_series: int
    pictures: tuple[Picture, ...]


# By the identity of the tags, which are held here as well: to compare thousands would cost more than to draw.
_kept: dict[int, Profile] = {}
MOST_KEPT = 64


def profile_of(tags: tuple[Tag, ...], series: int | None) -> Profile:
    kept = _kept.get(id(tags))
    if kept is not None and kept.tags is tags and kept.series == series:
        return kept
    largest = tuple(nlargest(LARGEST, tags, key=attrgetter("series_count")))
    most_series = series or max((tag.series_count for tag in largest), default=0)
    made = Profile(tags, series, largest, most_series, tuple(_pictures(tags, most_series)))
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[id(tags)] = made
    return made


def _pictures(tags: tuple[Tag, ...], series: int) -> Iterator[Picture]:
    for group, most in BARS:
        if picture := _bars(group, most, tags, series):
            yield picture
    if tags:
        yield _dots(tags)
        yield _years(tags)


def _bars(group: str, most: int, tags: Sequence[Tag], series: int) -> Picture | None:
    found = [tag for tag in tags if tag.group_id == group]
    shown = nlargest(most, found, key=attrgetter("series_count"))
    if not shown:
        return None
    lines = "".join(
        f'<li><button name=tag_names value="{escape(join_names((tag.name,)))}">{escape(tag.name)}</button>'
        f"{tag.series_count:,}{_bar(_share(tag, series))}"
        for tag in shown
    )
    # Every value of the service went through escape().
    html = mark_safe(f'<ul class="bars {group}">{lines}</ul>')  # noqa: S308
    return Picture(name_of(group), html, {"tag_group_id": group}, len(found) - len(shown))


def _bar(percent: float) -> str:
    return f"<svg width={percent:.0f}% />"


def _share(tag: Tag, series: int) -> float:
    return 100 * min(max(tag.series_count, 0) / series, 1) if series else 0


def _dots(tags: Sequence[Tag]) -> Picture:
    """Popularity upwards, series to the right on a scale on which each step is ten times the one before."""
    shown = nlargest(MOST_DOTS, tags, key=attrgetter("series_count"))
    decades = max(1, math.ceil(math.log10(max(shown[0].series_count, 2))))
    places = [_place(tag, WIDTH / decades) for tag in shown]
    dots = "".join(map(_dot, shown[:NAMED], places))
    title, by = "Popularity against series", {"order_by": "popularity", "sort_order": "desc"}
    box = f'role=group aria-label="{title}" viewBox="-34 -26 {WIDTH + 64} {HEIGHT + 64}"'
    drawn = _axes(decades) + _marks(places[NAMED:]) + dots
    html = f"<svg class=dots {box}>{drawn}</svg><p class=named aria-hidden=true></p>"
    return Picture(title, mark_safe(html), by, len(tags) - len(shown))  # noqa: S308  escaped


def _axes(decades: int) -> str:
    """Lines with ticks, numbers at them, and what they count."""
    step, half = WIDTH // decades, HEIGHT // 2
    line = f"M-4 0h4v{half}h-4h4v{half}h-4h4v4v-4{f'h{step}v4v-4' * decades}"
    upwards = zip((100, 50, 0), (5, half + 5, HEIGHT + 5), strict=True)
    numbers = [f"<text x=-8 y={y}>{number}</text>" for number, y in upwards]
    numbers += [f"<text x={step * n} y={HEIGHT + 20}>{_short(10**n)}</text>" for n in range(decades + 1)]
    names = f"<text x=-34 y=-14>popularity</text><text x={WIDTH + 28} y={HEIGHT + 36}>series</text>"
    return f"<path d={line.replace(' ', ',')} />{''.join(numbers)}{names}"


def _short(number: int) -> str:
    """1k for 1,000: seven numbers must find room under one axis."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def _place(tag: Tag, decade: float) -> tuple[int, int]:
    x = round(decade * math.log10(max(tag.series_count, 1)))
    return x, round(HEIGHT * (1 - min(max(tag.popularity, 0), 100) / 100))


def _marks(places: Iterable[tuple[int, int]]) -> str:
    """All of them as one path of dots without a name: each is a step from the one before, and a few bytes."""
    steps, before = [], (0, 0)
    for place in sorted(set(places)):
        x, y = place[0] - before[0], place[1] - before[1]
        steps.append(f"m{x}{'' if y < 0 else ' '}{y}z")
        before = place
    return f'<path class=marks d="{"".join(steps)}"/>' if steps else ""


def _dot(tag: Tag, place: tuple[int, int]) -> str:
    words = f"{tag.name}: {tag.series_count:,} series, popularity {tag.popularity:,}"
    drawn = f"class={hue_of(tag.group_id)} cx={place[0]} cy={place[1]}"
    return f"<circle {drawn} role=img tabindex=0><title>{escape(words)}</title></circle>"


def _years(tags: Sequence[Tag]) -> Picture:
    counts = Counter(tag.created[:4] for tag in tags)
    most = max(counts.values())
    lines = "".join(
        f"<li>{escape(year)}<b>{count:,}</b>{_bar(100 * count / most)}"
        for year, count in sorted(counts.items())
    )
    by = {"order_by": "created", "sort_order": "desc"}
    return Picture("Created by year", mark_safe(f'<ul class="bars">{lines}</ul>'), by)  # noqa: S308  escaped
