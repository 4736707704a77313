"""Pictures of a view: how its tags share the series, what is used and looked for, when tags were made."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from html import escape
from operator import attrgetter

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.groups import LETTERS, name_of
from econweb.upstream.queries import join_names
from econweb.upstream.records import Tag

# Group and how many of its tags are drawn.
BARS = (("freq", 6), ("seas", 4), ("geot", 4), ("gen", 6), ("src", 5))
MOST_DOTS = 14
WIDTH, HEIGHT = 300, 150


@dataclass(frozen=True)
class Picture:
    """A heading, what is drawn under it, and how many tags it leaves out."""

    title: str
    html: SafeString
    # What of the query leads to the view that is drawn.
    leads_to: dict[str, str]
    left_out: int = 0


# By the identity of the tags, which are held here as well: to compare thousands would cost more than to draw.
_drawn: dict[int, tuple[tuple[Tag, ...], int, tuple[Picture, ...]]] = {}
MOST_DRAWN = 64


def profile(tags: tuple[Tag, ...], series: int) -> tuple[Picture, ...]:
    """Of all tags of a view; a name is a button of the form around it, which narrows the view to its tag."""
    of, with_series, pictures = _drawn.get(id(tags), ((), 0, ()))
    if of is tags and with_series == series:
        return pictures
    pictures = tuple(_pictures(tags, series))
    if len(_drawn) >= MOST_DRAWN:
        _drawn.clear()
    _drawn[id(tags)] = (tags, series, pictures)
    return pictures


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
        f"<b>{tag.series_count:,}</b>{_bar(_share(tag, series))}"
        for tag in shown
    )
    # Every value of the service went through escape().
    html = mark_safe(f'<ul class="bars {group}">{lines}</ul>')  # noqa: S308
    return Picture(name_of(group), html, {"tag_group_id": group}, len(found) - len(shown))


def _bar(percent: float) -> str:
    return f"<svg width={percent:.0f}%></svg>"


def _share(tag: Tag, series: int) -> float:
    return 100 * min(max(tag.series_count, 0) / series, 1) if series else 0


def _dots(tags: Sequence[Tag]) -> Picture:
    """Popularity upwards, series to the right on a scale on which each step is ten times the one before."""
    shown = nlargest(MOST_DOTS, tags, key=attrgetter("series_count"))
    decades = max(1, math.ceil(math.log10(max(shown[0].series_count, 2))))
    dots = "".join(_dot(tag, WIDTH / decades) for tag in shown)
    ticks = "".join(
        f'<text x="{WIDTH * step // decades}" y="{HEIGHT + 16}">{10**step:,}</text>'
        for step in range(decades + 1)
    )
    axes = f'<path d="M0 0v{HEIGHT}h{WIDTH}"/><text x="-4" y="8">100</text><text x="-4" y="{HEIGHT}">0</text>'
    title, by = "Popularity against series", {"order_by": "popularity", "sort_order": "desc"}
    box = f'role="group" aria-label="{title}" viewBox="-28 -6 {WIDTH + 44} {HEIGHT + 26}"'
    html = f'<svg class="dots" {box}>{axes}{ticks}{dots}</svg><p class="named" aria-hidden="true"></p>'
    return Picture(title, mark_safe(html), by, len(tags) - len(shown))  # noqa: S308  escaped


def _dot(tag: Tag, decade: float) -> str:
    x = round(decade * math.log10(max(tag.series_count, 1)))
    y = round(HEIGHT * (1 - min(max(tag.popularity, 0), 100) / 100))
    kind = tag.group_id if tag.group_id in LETTERS else "cc"
    words = f"{tag.name}: {tag.series_count:,} series, popularity {tag.popularity:,}"
    return f"<circle class={kind} cx={x} cy={y} role=img tabindex=0><title>{escape(words)}</title></circle>"


def _years(tags: Sequence[Tag]) -> Picture:
    counts = Counter(tag.created[:4] for tag in tags)
    most = max(counts.values())
    lines = "".join(
        f"<li>{escape(year)}<b>{count:,}</b>{_bar(100 * count / most)}"
        for year, count in sorted(counts.items())
    )
    by = {"order_by": "created", "sort_order": "desc"}
    return Picture("Created by year", mark_safe(f'<ul class="bars">{lines}</ul>'), by)  # noqa: S308  escaped
