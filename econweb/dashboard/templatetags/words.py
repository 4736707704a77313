"""Filters that turn values of the service into words of a page."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard import groups
from econweb.dashboard.notes import notes_html
from econweb.upstream.queries import join_names

register = template.Library()


@register.filter
def badge(group_id: str) -> SafeString:
    # badge() escapes what comes from the service.
    return mark_safe(groups.badge(group_id))  # noqa: S308


@register.filter
def notes(text: str) -> SafeString:
    return notes_html(text)


@register.filter
def as_text(value: object) -> str:
    """Absent is told from empty."""
    return "absent" if value is None else str(value) or "empty"


@register.filter
def grouped(number: int) -> str:
    """1,234 as in the table."""
    return f"{number:,}"


@register.filter
def one_name(name: str) -> str:
    return join_names((name,))


@register.filter
def percent(share: float) -> str:
    return f"{share:.1%}"
