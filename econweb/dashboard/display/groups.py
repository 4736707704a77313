"""Labels and CSS classes of tag groups, including groups that the contract does not know."""

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from econweb.upstream.queries import GROUP_LABELS

# Groups with a class of their own in filters.css, which has their letter and colour.
STYLED = ("freq", "gen", "geo", "geot", "rls", "seas", "src", "cc")
# In characters: a service may send group ids of any length, and the cache of badges bounds its entries alone.
MAX_CACHED_ID = 40


def group_label(group_id: str) -> str:
    return GROUP_LABELS.get(group_id, group_id)


def css_class(group_id: str) -> str:
    return group_id if group_id in STYLED else "other"


def badge(group_id: str) -> SafeString:
    return _cached_badge(group_id) if len(group_id) <= MAX_CACHED_ID else _badge(group_id)


def _badge(group_id: str) -> SafeString:
    return format_html("<i class={}></i>{}", css_class(group_id), group_label(group_id))


_cached_badge = lru_cache(maxsize=1000)(_badge)
