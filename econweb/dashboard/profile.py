"""Pictures of a view: how its tags share the series, what is used and looked for, when tags were made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from html import escape
from operator import attrgetter

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.dots import MOST_MARKS, marks
from econweb.dashboard.groups import name_of
from econweb.upstream.queries import join_names
from econweb.upstream.records import Tag

# Group and how many of its tags are drawn.
BARS = (("freq", 6), ("seas", 4), ("geot", 4), ("gen", 6), ("src", 5))
LARGEST = 3


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
    # Of it there is a picture with names as well, under an address of its own.
    marks: SafeString
    unmarked: int


# By the identity of the tags, which are held here as well: to compare thousands would cost more than to draw.
_kept: dict[int, Profile] = {}
MOST_KEPT = 64


def profile_of(tags: tuple[Tag, ...], series: int | None) -> Profile:
    kept = _kept.get(id(tags))
    if kept is not None and kept.tags is tags and kept.series == series:
        return kept
    largest = tuple(nlargest(LARGEST, tags, key=attrgetter("series_count")))
    most_series = series or max((tag.series_count for tag in largest), default=0)
    made = Profile(
        tags,
        series,
        largest,
        most_series,
        pictures=tuple(_pictures(tags, most_series)),
        marks=marks(tags) if tags else SafeString(),
        unmarked=max(0, len(tags) - MOST_MARKS),
    )
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[id(tags)] = made
    return made


def _pictures(tags: tuple[Tag, ...], series: int) -> Iterator[Picture]:
    for group, most in BARS:
        if picture := _bars(group, most, tags, series):
            yield picture
    if tags:
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


def _years(tags: Sequence[Tag]) -> Picture:
    counts = Counter(tag.created[:4] for tag in tags)
    most = max(counts.values())
    lines = "".join(
        f"<li>{escape(year)}<b>{count:,}</b>{_bar(100 * count / most)}"
        for year, count in sorted(counts.items())
    )
    by = {"order_by": "created", "sort_order": "desc"}
    return Picture("Created by year", mark_safe(f'<ul class="bars">{lines}</ul>'), by)  # noqa: S308  escaped
