"""Pictures of a view: shares of the series by group, and popularity against series."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.sorting import largest_tags
from econweb.dashboard.tags.columns import name_button
from econweb.dashboard.tags.scatter_plot import render_scatter_plot
from econweb.upstream.queries import group_label, sort_groups
from econweb.upstream.records import Tag

# Groups, and the number of their tags that are drawn.
BARS = (("freq", 6), ("seas", 4), ("geo", 6), ("geot", 4), ("gen", 6), ("src", 5), ("rls", 5))
# A picture of fewer tags says less than the table.
MIN_TAGS = 3


@dataclass(frozen=True)
class BarChart:
    """A heading, the drawing, and the number of tags that it leaves out."""

    title: str
    html: SafeString
    # Changes of the query that lead to the view of this picture.
    leads_to: dict[str, str]
    left_out: int = 0


@dataclass(frozen=True)
class Profile:
    """All pictures of a view; a name in one is a button of the form around it."""

    bar_charts: tuple[BarChart, ...]
    dots: SafeString
    dots_left_out: int
    groups: list[str]


def build_profile(tags: Sequence[Tag], most_series: int, most_dots: int) -> Profile:
    """Draw the tags, independent of their order; a full bar stands for `most_series` series."""
    ordered = largest_tags(len(tags), tags) if len(tags) >= MIN_TAGS else []
    drawn = ordered[:most_dots]
    return Profile(
        bar_charts=tuple(_draw_bar_charts(ordered, most_series)),
        dots=render_scatter_plot(drawn) if drawn else SafeString(),
        dots_left_out=len(tags) - len(drawn),
        groups=sort_groups({tag.group_id for tag in drawn}),
    )


def _draw_bar_charts(ordered: Sequence[Tag], series: int) -> Iterator[BarChart]:
    """Yield the bars of each group; the tags come with the largest first."""
    by_group = defaultdict(list)
    for tag in ordered:
        by_group[tag.group_id].append(tag)
    for group, most in BARS:
        if len(found := by_group[group]) >= MIN_TAGS:
            yield _draw_bars(group, found[:most], len(found), series)


def _draw_bars(group: str, shown: Sequence[Tag], count: int, series: int) -> BarChart:
    lines = "".join(
        [f"<li>{name_button(tag)}{tag.series_count:,}{_bar(_share(tag, series))}" for tag in shown],
    )
    # Every value of the service went through escape() in its button.
    html = mark_safe(f'<ul class="bars {group}">{lines}</ul>')  # noqa: S308
    return BarChart(group_label(group), html, {"tag_group_id": group}, count - len(shown))


def _bar(percent: float) -> str:
    return f"<svg width={percent:.0f}% />"


def _share(tag: Tag, series: int) -> float:
    return 100 * min(max(tag.series_count, 0) / series, 1) if series else 0
