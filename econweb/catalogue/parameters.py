"""Parse and check the parameters of a request; a `BadRequest` names the invalid variable."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from unicodedata import bidirectional, category, normalize
from urllib.parse import parse_qsl

from django.utils import timezone

# The default of one real-time bound when only the other one is given.
FIRST_DAY, LAST_DAY = date(1776, 7, 4), date(9999, 12, 31)
GROUPS = ("freq", "gen", "geo", "geot", "rls", "seas", "src")
# No request of the contract needs a longer query; a longer one is rejected unread.
MAX_QUERY_LENGTH = 8192
MAX_NUMBER = 999_999_999
# Bidirectional controls would change how the text of a message reads.
_BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_CHOICES: dict[str, Sequence[str]] = {
    "file_type": ("xml", "json"),
    "tag_group_id": GROUPS,
    "order_by": ("series_count", "popularity", "created", "name", "group_id"),
    "sort_order": ("asc", "desc"),
}
_BOUNDS = {
    "category_id": (0, MAX_NUMBER),
    "release_id": (0, MAX_NUMBER),
    "limit": (1, 1000),
    "offset": (0, MAX_NUMBER),
}
EXPECTED = {
    "api_key": "a 32 character alpha-numeric lower-case string",
    "realtime_start": "a date of the form YYYY-MM-DD",
    "realtime_end": "a date of the form YYYY-MM-DD",
    "series_id": "one to 25 letters, digits and underscores",
    "tag_names": "a list of tag names with a semicolon between them",
    "search_text": "one or more words",
    **{name: f"one of {', '.join(choices)}" for name, choices in _CHOICES.items()},
    **{name: f"between {lowest} and {highest}" for name, (lowest, highest) in _BOUNDS.items()},
}


class BadRequest(Exception):
    """The request is invalid; the text follows `Bad Request.` in the reply."""


@dataclass(frozen=True)
class Period:
    """A closed real-time period."""

    start: date
    end: date


@dataclass(frozen=True)
class SeriesParameters:
    """The parameters of GET /series."""

    series_id: str
    period: Period


@dataclass(frozen=True)
class TagParameters:
    """The parameters of GET /category/tags and GET /release/tags; None does not filter."""

    period: Period
    tag_names: frozenset[str] | None
    tag_group_id: str | None
    search_text: str | None
    limit: int
    offset: int
    order_by: str
    sort_order: str


class QueryParameters:
    """The parameters of a query string; unknown names are ignored."""

    def __init__(self, query: str) -> None:
        # An invalid UTF-8 byte becomes a lone surrogate, which `get` rejects.
        self._pairs = parse_qsl(query, keep_blank_values=True, errors="surrogateescape")

    def file_type(self) -> str:
        """Return the format of the reply; errors use it too, so an invalid value means the default."""
        return "json" if {*self._all("file_type")} == {"json"} else "xml"

    def get(self, name: str) -> str | None:
        given = self._all(name)
        if len(given) > 1:
            raise BadRequest(f"Variable {name} is given more than once. Give it once: {EXPECTED[name]}.")
        if given and not is_printable(given[0]):
            raise BadRequest(f"Variable {name} is not printable UTF-8 text. It may be {EXPECTED[name]}.")
        # Some clients send every parameter and leave most of them empty.
        return given[0] or None if given else None

    def required(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise BadRequest(f"Variable {name} has not been set.")
        return value

    def _all(self, name: str) -> list[str]:
        return [value for key, value in self._pairs if key == name]


def is_printable(text: str) -> bool:
    """Accept spaces and joiners of every script; reject line breaks and bidirectional controls."""
    return text.isprintable() or all(
        sign.isprintable() or (category(sign) in {"Cf", "Zs"} and bidirectional(sign) not in _BIDI_CONTROLS)
        for sign in text
    )


def series_parameters(values: QueryParameters) -> SeriesParameters:
    _parse_choice(values, "file_type")
    series_id = values.required("series_id")
    if not re.fullmatch(r"[A-Za-z0-9_]{1,25}", series_id):
        raise _invalid("series_id")
    return SeriesParameters(series_id.upper(), _parse_period(values))


def owner_number(values: QueryParameters, kind: str) -> int:
    """Return `category_id` or `release_id`."""
    return _parse_number(f"{kind}_id", values.required(f"{kind}_id"))


def tag_parameters(values: QueryParameters) -> TagParameters:
    _parse_choice(values, "file_type")
    limit, offset = values.get("limit"), values.get("offset")
    return TagParameters(
        period=_parse_period(values),
        tag_names=_parse_tag_names(values),
        tag_group_id=_parse_choice(values, "tag_group_id"),
        search_text=_parse_search_text(values),
        limit=1000 if limit is None else _parse_number("limit", limit),
        offset=0 if offset is None else _parse_number("offset", offset),
        order_by=_parse_choice(values, "order_by") or "series_count",
        sort_order=_parse_choice(values, "sort_order") or "asc",
    )


def _invalid(name: str) -> BadRequest:
    return BadRequest(f"Variable {name} is not {EXPECTED[name]}.")


def _parse_choice(values: QueryParameters, name: str) -> str | None:
    value = values.get(name)
    if value is not None and value not in _CHOICES[name]:
        raise _invalid(name)
    return value


def _parse_number(name: str, text: str) -> int:
    lowest, highest = _BOUNDS[name]
    # int() also accepts signs, spaces, underscores and digits of other scripts.
    if not re.fullmatch(r"[0-9]{1,10}", text) or not lowest <= int(text) <= highest:
        raise _invalid(name)
    return int(text)


def _parse_tag_names(values: QueryParameters) -> frozenset[str] | None:
    text = values.get("tag_names")
    if text is None:
        return None
    names = frozenset(filter(None, map(str.strip, normalize("NFC", text).split(";"))))
    if not names:
        raise _invalid("tag_names")
    return names


def _parse_search_text(values: QueryParameters) -> str | None:
    text = values.get("search_text")
    if text is not None and not text.strip():
        raise _invalid("search_text")
    return text


def _parse_period(values: QueryParameters) -> Period:
    """Return today without bounds; with one bound given, the other is the first or last possible day."""
    today = timezone.localdate()
    start = _parse_day(values, "realtime_start", today)
    end = _parse_day(values, "realtime_end", today)
    if start is None and end is None:
        return Period(today, today)
    period = Period(start or FIRST_DAY, end or LAST_DAY)
    if period.start > period.end:
        raise BadRequest("Variable realtime_start is later than variable realtime_end.")
    return period


def _parse_day(values: QueryParameters, name: str, today: date) -> date | None:
    text = values.get(name)
    if text is None:
        return None
    # fromisoformat also accepts weeks and dates without hyphens.
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise _invalid(name)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"Variable {name} is not a day of the calendar.") from None
    if day < FIRST_DAY or today < day < LAST_DAY:
        raise BadRequest(f"Variable {name} is not between {FIRST_DAY} and today, nor {LAST_DAY}.")
    return day
