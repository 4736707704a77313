"""Rows of the tag table as HTML, rendered once per tag."""

from collections.abc import Iterable
from sys import getsizeof

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.tags.columns import TAG_COLUMNS, Scale
from econweb.upstream.records import Tag

# Twice the memory that the cache of decoded answers assumes for a tag.
MAX_CACHED_ROW_BYTES = 1200


def render_rows(tags: Iterable[Tag], scale: Scale, cached: dict[tuple[str, str], str]) -> SafeString:
    """Join the rows of the tags; `cached` holds those that were rendered before, by name and group."""
    rows = [cached.get((tag.name, tag.group_id)) or _render_and_cache(tag, scale, cached) for tag in tags]
    # Every value of the service went through escape() in the cells.
    return mark_safe("".join(rows))  # noqa: S308


def _render_and_cache(tag: Tag, scale: Scale, cached: dict[tuple[str, str], str]) -> str:
    row = "<tr>" + "".join([column.cell(tag, scale) for column in TAG_COLUMNS])
    # Escaped notes may take six times the memory of the tag, rows that are too long are rendered each time.
    if getsizeof(row) <= MAX_CACHED_ROW_BYTES:
        cached[tag.name, tag.group_id] = row
    return row
