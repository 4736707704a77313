"""The parameters of a request (spec 4), checked; a wrong one is a `BadRequest` that names the variable."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from unicodedata import bidirectional, category, normalize
from urllib.parse import parse_qsl

from django.utils import timezone

# What the service answers for a bound that is not given while the other one is.
FIRST_DAY, LAST_DAY = date(1776, 7, 4), date(9999, 12, 31)
GROUPS = ("freq", "gen", "geo", "geot", "rls", "seas", "src")
# No request of the contract needs as much; a longer one is not even read.
LONGEST_QUERY = 8192
HIGHEST = 999_999_999
# They turn the text around them, so that a message would read other than it is.
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_WORDS: dict[str, Sequence[str]] = {
    "file_type": ("xml", "json"),
    "tag_group_id": GROUPS,
    "order_by": ("series_count", "popularity", "created", "name", "group_id"),
    "sort_order": ("asc", "desc"),
}
_BOUNDS = {
    "category_id": (0, HIGHEST),
    "release_id": (0, HIGHEST),
    "limit": (1, 1000),
    "offset": (0, HIGHEST),
}
_MAY_BE = {
    "api_key": "a 32 character alpha-numeric lower-case string",
    "realtime_start": "a date of the form YYYY-MM-DD",
    "realtime_end": "a date of the form YYYY-MM-DD",
    "series_id": "one to 25 letters, digits and underscores",
    "tag_names": "a list of tag names with a semicolon between them",
    "search_text": "one or more words",
    **{name: f"one of {', '.join(words)}" for name, words in _WORDS.items()},
    **{name: f"between {lowest} and {highest}" for name, (lowest, highest) in _BOUNDS.items()},
}


class BadRequest(Exception):
    """The text goes into the reply, behind the words `Bad Request.`"""


@dataclass(frozen=True)
class Period:
    """A closed real-time period."""

    start: date
    end: date


@dataclass(frozen=True)
class SeriesParameters:
    """Spec 4.2."""

    series_id: str
    period: Period


@dataclass(frozen=True)
class TagParameters:
    """Spec 4.3 to 4.5; what is None does not filter."""

    period: Period
    tag_names: frozenset[str] | None
    tag_group_id: str | None
    search_text: str | None
    limit: int
    offset: int
    order_by: str
    sort_order: str


class Values:
    """What a query string gives for each name; a name that nobody asks for is ignored."""

    def __init__(self, query: str) -> None:
        # A byte that is not UTF-8 becomes a lone surrogate, which is refused when its variable is asked for.
        self._pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")

    def file_type(self) -> str:
        """What errors are written in, too: so anything wrong here counts as the default."""
        return "json" if {*self._all("file_type")} == {"json"} else "xml"

    def get(self, name: str) -> str | None:
        given = self._all(name)
        if len(given) > 1:
            raise BadRequest(f"Variable {name} is given more than once. Give it once: {_MAY_BE[name]}.")
        if given and not is_printable(given[0]):
            raise BadRequest(f"Variable {name} is not printable UTF-8 text. It may be {_MAY_BE[name]}.")
        return given[0] if given else None

    def needed(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise BadRequest(f"Variable {name} is not set.")
        return value

    def _all(self, name: str) -> list[str]:
        return [value for key, value in self._pairs if key == name]


def is_printable(text: str) -> bool:
    """Also blanks of any width and the unseen signs within words; not what breaks or turns a line."""
    return text.isprintable() or all(
        sign.isprintable() or (category(sign) in {"Cf", "Zs"} and bidirectional(sign) not in _TURNING)
        for sign in text
    )


def series_parameters(values: Values) -> SeriesParameters:
    _one_of(values, "file_type")
    series_id = values.needed("series_id")
    if not re.fullmatch(r"[A-Za-z0-9_]{1,25}", series_id):
        raise _not("series_id")
    return SeriesParameters(series_id.upper(), _period(values))


def owner_number(values: Values, kind: str) -> int:
    """Spec 4.3 and 4.4."""
    return _whole_number(f"{kind}_id", values.needed(f"{kind}_id"))


def tag_parameters(values: Values) -> TagParameters:
    _one_of(values, "file_type")
    limit, offset = values.get("limit"), values.get("offset")
    return TagParameters(
        period=_period(values),
        tag_names=_tag_names(values),
        tag_group_id=_one_of(values, "tag_group_id"),
        search_text=_search_text(values),
        limit=1000 if limit is None else _whole_number("limit", limit),
        offset=0 if offset is None else _whole_number("offset", offset),
        order_by=_one_of(values, "order_by") or "series_count",
        sort_order=_one_of(values, "sort_order") or "asc",
    )


def _not(name: str) -> BadRequest:
    return BadRequest(f"Variable {name} is not {_MAY_BE[name]}.")


def _one_of(values: Values, name: str) -> str | None:
    value = values.get(name)
    if value is not None and value not in _WORDS[name]:
        raise _not(name)
    return value


def _whole_number(name: str, text: str) -> int:
    lowest, highest = _BOUNDS[name]
    # int() alone would also read signs, blanks, underscores and digits of other scripts.
    if not re.fullmatch(r"[0-9]{1,10}", text) or not lowest <= int(text) <= highest:
        raise _not(name)
    return int(text)


def _tag_names(values: Values) -> frozenset[str] | None:
    text = values.get("tag_names")
    if text is None:
        return None
    names = frozenset(filter(None, map(str.strip, normalize("NFC", text).split(";"))))
    if not names:
        raise _not("tag_names")
    return names


def _search_text(values: Values) -> str | None:
    text = values.get("search_text")
    if text is not None and not text.strip():
        raise _not("search_text")
    return text


def _period(values: Values) -> Period:
    """Both bounds default to today; with one of them given, the other is the extreme."""
    today = timezone.localdate()
    start = _day(values, "realtime_start", today)
    end = _day(values, "realtime_end", today)
    if start is None and end is None:
        return Period(today, today)
    period = Period(start or FIRST_DAY, end or LAST_DAY)
    if period.start > period.end:
        raise BadRequest("Variable realtime_start is later than variable realtime_end.")
    return period


def _day(values: Values, name: str, today: date) -> date | None:
    text = values.get(name)
    if text is None:
        return None
    # fromisoformat alone would also read weeks and dates without hyphens.
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise _not(name)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"Variable {name} is not a day of the calendar.") from None
    if day < FIRST_DAY or today < day < LAST_DAY:
        raise BadRequest(f"Variable {name} is not between {FIRST_DAY} and today, nor {LAST_DAY}.")
    return day
