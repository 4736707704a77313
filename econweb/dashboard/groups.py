"""Tag groups as they are shown: a name, a letter and a hue; a group that nobody told us of is as good."""

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from econweb.upstream.queries import TAG_GROUPS

# Never told by colour alone: each has its letter.
LETTERS = {"freq": "F", "gen": "C", "geo": "G", "geot": "T", "rls": "R", "seas": "A", "src": "S", "cc": "©"}
NAMES = TAG_GROUPS | {"gen": "Concept", "seas": "Adjustment", "cc": "Citation"}


def name_of(group_id: str) -> str:
    return NAMES.get(group_id, group_id)


def hue_of(group_id: str) -> str:
    return group_id if group_id in LETTERS else "cc"


@lru_cache(maxsize=1000)
def badge(group_id: str) -> SafeString:
    return format_html(
        "<i class={}>{}</i>{}", hue_of(group_id), LETTERS.get(group_id, "·"), name_of(group_id)
    )
