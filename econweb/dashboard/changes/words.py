"""The words of the record of changes on its page; files have the stored values."""

from econweb.dashboard.entry_checks import AUDIENCE_WORDS, parse_moment
from econweb.dashboard.rendering.filters import minute
from econweb.library.models import ME
from econweb.watching import watches

# The kinds whose stored name is not the word of the site.
_KINDS = {watches.KIND: "follow"}
_AUDIENCES = AUDIENCE_WORDS | {ME: "Only the owner and the administrators"}
_MOMENTS = {"changed", "since"}


def name_kind(kind: str) -> str:
    return _KINDS.get(kind, kind)


def describe_value(field: str, value: object) -> object:
    """Return a value before or after a change, as pages write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field == "audience":
        return _AUDIENCES.get(str(value), value)
    if field in _MOMENTS and (moment := parse_moment(str(value))):
        return minute(moment)
    return value
