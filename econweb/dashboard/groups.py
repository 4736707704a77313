"""Tag groups as they are shown: a name, a letter and a hue; a group that nobody told us of is as good."""

from functools import lru_cache
from html import escape

from econweb.upstream.queries import TAG_GROUPS

# Never told by colour alone: each has its letter.
LETTERS = {"freq": "F", "gen": "C", "geo": "G", "geot": "T", "rls": "R", "seas": "A", "src": "S", "cc": "©"}
NAMES = TAG_GROUPS | {"gen": "Concept", "seas": "Adjustment", "cc": "Citation"}


def name_of(group_id: str) -> str:
    return NAMES.get(group_id, group_id)


def hue_of(group_id: str) -> str:
    return group_id if group_id in LETTERS else "cc"


@lru_cache(maxsize=1000)
def badge(group_id: str) -> str:
    return f"<i class={hue_of(group_id)}>{LETTERS.get(group_id, '·')}</i>{escape(name_of(group_id))}"
