"""Labels and CSS classes of tag groups, including groups that the contract does not know."""

from html import escape

from django.utils.safestring import SafeString

from econweb.upstream.queries import TAG_GROUPS, group_label

# Groups with a class of their own in filters.css, which has their letter and colour.
STYLED = tuple(TAG_GROUPS)


def css_class(group_id: str) -> str:
    return group_id if group_id in STYLED else "other"


def badge(group_id: str) -> SafeString:
    # The label may be a text of the service. format_html takes eight times as long, and each row has a badge.
    return SafeString(f"<i class={css_class(group_id)}></i>{escape(group_label(group_id))}")
