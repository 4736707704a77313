"""The strip above the table: the most frequent tags of each group, with their share of the series."""

from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.sorting import largest_tags
from econweb.dashboard.rendering.filters import whole_percent
from econweb.dashboard.tags.columns import name_button
from econweb.upstream.queries import group_label
from econweb.upstream.records import Tag

# Groups, and the number of their tags that the strip shows.
SHOWN = (("freq", 3), ("seas", 2), ("geo", 2), ("src", 2))
# Fewer tags are seen at a glance in the table.
MIN_TAGS = 3


def render_frequent_tags(tags: Sequence[Tag], series: int | None) -> SafeString:
    """Render the strip for all tags of an owner; it says nothing where the number of series is unknown."""
    if len(tags) < MIN_TAGS or not series:
        return SafeString()
    # Every value of the service went through escape() in its button.
    return mark_safe("".join(_groups(tags, series)))  # noqa: S308


def _groups(tags: Sequence[Tag], series: int) -> Iterator[str]:
    for group, most in SHOWN:
        if found := [tag for tag in tags if tag.group_id == group]:
            shown = ", ".join(_share(tag, series) for tag in largest_tags(most, found))
            more = " …" if len(found) > most else ""
            yield f"<li><b>{group_label(group)}:</b> {shown}{more}"


def _share(tag: Tag, series: int) -> str:
    return f"{name_button(tag)} {whole_percent(tag.series_count, series)}"
