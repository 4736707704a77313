"""The rows of the tag table as finished HTML, made once for a tag and then only joined."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.groups import badge
from econweb.dashboard.notes import notes_cell
from econweb.upstream.queries import join_names
from econweb.upstream.records import Tag

# A bar as wide as its cell has this many units.
BAR_UNITS = 80


def rows(tags: Iterable[Tag], most_series: int, made: dict[int, str]) -> SafeString:
    """`made` has rows by the identity of their tags, which live as long as it does."""
    shown = [made.get(id(tag)) or made.setdefault(id(tag), _row(tag, most_series)) for tag in tags]
    # Every value of the service went through escape() in _row.
    return mark_safe("".join(shown))  # noqa: S308


def _row(tag: Tag, most_series: int) -> str:
    """Independent of the query: its control is a button of the form around it, which carries the rest."""
    value = escape(join_names((tag.name,)))
    return (
        f'<tr><th scope=row><button name=tag_names value="{value}">{escape(tag.name)}</button>'
        f"<td>{badge(tag.group_id)}"
        f"<td>{_bar(tag.series_count, most_series)}{tag.series_count:,}"
        f"<td>{_bar(tag.popularity, 100)}{tag.popularity:,}"
        f"<td>{_day(tag.created)}{notes_cell(tag.notes)}"
    )


def _bar(value: int, full: int) -> str:
    units = round(BAR_UNITS * min(max(value, 0) / full, 1)) if full > 0 else 0
    # Something is never drawn as nothing.
    return f"<svg width={max(units, 1)} />" if value > 0 else ""


def _day(created: str) -> str:
    """The stamp stays as given; HTML wants four digits in an offset."""
    return f"<time datetime={escape(created).replace(' ', 'T')}00>{escape(created[:10])}</time>"
