"""Rows of the tag table as HTML, rendered once per tag."""

from collections.abc import Iterable
from html import escape
from sys import getsizeof

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.groups import badge
from econweb.dashboard.display.notes import notes_cell
from econweb.upstream.queries import join_names
from econweb.upstream.records import Tag

# Units of a bar that fills its cell.
BAR_WIDTH = 80
# Twice the memory that the cache of decoded answers assumes for a tag.
MAX_CACHED_ROW_BYTES = 1200


def render_rows(tags: Iterable[Tag], most_series: int, cached: dict[tuple[str, str], str]) -> SafeString:
    """Join the rows of the tags; `cached` holds those that were rendered before, by name and group."""
    rows = [cached.get((tag.name, tag.group_id)) or _render_and_cache(tag, most_series, cached) for tag in tags]
    # Every value of the service went through escape() in _row.
    return mark_safe("".join(rows))  # noqa: S308


def _render_and_cache(tag: Tag, most_series: int, cached: dict[tuple[str, str], str]) -> str:
    row = _row(tag, most_series)
    # Escaped notes may take six times the memory of the tag, so long rows are rendered each time.
    if getsizeof(row) <= MAX_CACHED_ROW_BYTES:
        cached[tag.name, tag.group_id] = row
    return row


def _row(tag: Tag, most_series: int) -> str:
    """Render a row that is the same under every query: its button submits the form with the current filters."""
    value = escape(join_names((tag.name,)))
    return (
        f'<tr><th scope=row><button name=tag_names value="{value}">{escape(tag.name)}</button>'
        f"<td>{badge(tag.group_id)}"
        f"<td>{_bar(tag.series_count, most_series)}{tag.series_count:,}"
        f"<td>{_bar(tag.popularity, 100)}{tag.popularity:,}"
        f"<td>{_day(tag.created)}{notes_cell(tag.notes)}"
    )


def _bar(value: int, full: int) -> str:
    units = round(BAR_WIDTH * min(max(value, 0) / full, 1)) if full > 0 else 0
    # The smallest value still shows a bar.
    return f"<svg width={max(units, 1)} />" if value > 0 else ""


def _day(created: str) -> str:
    """Show the date; `datetime` has the full time stamp, whose offset HTML wants with four digits."""
    return f"<time datetime={escape(created).replace(' ', 'T')}00>{escape(created[:10])}</time>"
