"""Queries: frozen values that know the parameters of their request and their query string."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote_plus

# The `order_by` values of the contract, each with the direction that is useful first.
ORDER_BYS = {
    "series_count": "desc",
    "popularity": "desc",
    "created": "desc",
    "name": "asc",
    "group_id": "asc",
}
SORT_ORDERS = ("asc", "desc")
# The first and the last day of a real-time period.
FIRST_DAY, LAST_DAY = date(1776, 7, 4), date(9999, 12, 31)
# The `Group` of the contract.
CONTRACT_GROUPS = {
    "freq": "Frequency",
    "gen": "General or Concept",
    "geo": "Geography",
    "geot": "Geography Type",
    "rls": "Release",
    "seas": "Seasonal Adjustment",
    "src": "Source",
}
# Services of this kind send one more; groups that are not listed here are valid as well.
TAG_GROUPS = CONTRACT_GROUPS | {"cc": "Citation and Copyright"}
# The names of groups for people, in one or two words.
GROUP_LABELS = TAG_GROUPS | {
    "gen": "Topic",
    "geot": "Area type",
    "seas": "Seasonal adjustment",
    "src": "Source agency",
    "cc": "Citation",
}


def group_label(group_id: str) -> str:
    return GROUP_LABELS.get(group_id, group_id)


# The pattern of a series id.
SERIES_ID = r"[A-Za-z0-9_]{1,25}"
# The pattern of the number of a category or release.
OWNER_NUMBER = r"[0-9]{1,9}"
# Kinds of tag owners; each names an endpoint `<kind>/tags` with a parameter `<kind>_id`.
TAG_OWNERS = ("category", "release")

# In characters; together with the number of entries it bounds the memory of the cache.
MAX_CACHED_VALUE = 50


def is_series_id(text: str) -> bool:
    return re.fullmatch(SERIES_ID, text) is not None


def is_owner_number(text: str) -> bool:
    return re.fullmatch(OWNER_NUMBER, text) is not None


@dataclass(frozen=True)
class SeriesQuery:
    """A request for a series; a real-time bound of None is left to the service."""

    series_id: str
    realtime_start: date | None = None
    realtime_end: date | None = None

    def service_parameters(self) -> dict[str, str]:
        return {"series_id": self.series_id} | _changed_parameters(self, ("realtime_start", "realtime_end"))

    def query_string(self) -> str:
        """Return the query string of the series page, without defaults."""
        parameters = _changed_parameters(self, ("realtime_start", "realtime_end"))
        return "&".join([f"{name}={_quote(value)}" for name, value in parameters.items()])


@dataclass(frozen=True)
class TagQuery:
    """A view of tags with the defaults of a page; equal views are equal values with equal links."""

    tag_names: tuple[str, ...] = ()
    tag_group_id: str = ""
    search_text: str = ""
    order_by: str = "series_count"
    sort_order: str = "desc"
    limit: int = 50
    offset: int = 0
    realtime_start: date | None = None
    realtime_end: date | None = None
    # The columns beside the name; None for all of them.
    columns: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        # A tag matches if it has any of the names, so order and repetition do not matter, nor do spaces after a `;`.
        object.__setattr__(self, "tag_names", tuple(sorted({*map(str.strip, self.tag_names)} - {""})))
        object.__setattr__(self, "search_text", " ".join(self.search_text.split()))

    def query_string(self, **changes: Any) -> str:
        """Return the query string of this view, or of `replace(**changes)`: fixed order, without defaults."""
        if "tag_names" in changes or "search_text" in changes:
            return self.replace(**changes).query_string()
        # A page has some twenty links that differ in one field: encode only that one.
        parts = self._query_parts
        if changes:
            parts = {**parts, "offset": ""}
            for name, value in changes.items():
                parts[name] = _query_part(name, value)
        return "".join(parts.values())[1:]

    @cached_property
    def _query_parts(self) -> dict[str, str]:
        """Each field as `&name=value`, or an empty text if it has its default."""
        values = vars(self)
        return {name: _query_part(name, values[name]) for name in _DEFAULTS}

    def service_parameters(self) -> dict[str, str]:
        """Return the parameters that go to the service; everything else is computed from the complete set."""
        return _changed_parameters(self, ("search_text", "realtime_start", "realtime_end"))

    def replace(self, **changes: Any) -> "TagQuery":
        """Return a changed view, which starts at its first row unless the offset itself changes."""
        return replace(self, **{"offset": 0, **changes})

    def next_sort_order(self, order_by: str) -> str:
        """Return the direction that a column's header links to."""
        return next_sort_order(ORDER_BYS[order_by], self.sort_order if order_by == self.order_by else None)

    def names_without_one(self) -> list[tuple[str, ...]]:
        """Return for each name the tuple of all others."""
        names = self.tag_names
        return [names[:index] + names[index + 1 :] for index in range(len(names))]

    def without_filters(self) -> "TagQuery":
        return self.replace(tag_names=(), tag_group_id="", search_text="")


def sort_groups(group_ids: Collection[str]) -> list[str]:
    """Return the ids in the order of TAG_GROUPS, and behind them those that are not listed there."""
    return [group for group in TAG_GROUPS if group in group_ids] + sorted(set(group_ids) - TAG_GROUPS.keys())


def next_sort_order(own: str, current: str | None) -> str:
    """Return the column's own direction, or the opposite when the view is in that order already."""
    if current != own:
        return own
    return "desc" if own == "asc" else "asc"


def join_names(names: Iterable[str]) -> str:
    r"""Join names with `;`; a `;` in a name is written `\;` and a `\` is written `\\`."""
    return ";".join(re.sub(r"([\\;])", r"\\\1", name) if ";" in name or "\\" in name else name for name in names)


def split_names(text: str) -> tuple[str, ...]:
    r"""Split names that `join_names` joined; a `\` before any other character is an ordinary one."""
    pieces = re.findall(r"((?:\\[\\;]|[^;])+)", text)
    return tuple(re.sub(r"\\([\\;])", r"\1", piece) for piece in pieces)


def _changed_parameters(query: SeriesQuery | TagQuery, names: Iterable[str]) -> dict[str, str]:
    """Return the parameters that differ from their default, as text."""
    defaults, values = type(query).__dict__, vars(query)
    return {name: str(values[name]) for name in names if values[name] != defaults[name]}


def _quote(value: str) -> str:
    """Quote a value; most links of a page share their short values, and few have a long list of names."""
    return _quote_cached(value) if len(value) <= MAX_CACHED_VALUE else quote_plus(value)


@lru_cache(maxsize=4096)
def _quote_cached(value: str) -> str:
    return quote_plus(value)


def _query_part(name: str, value: Any) -> str:
    if value == _DEFAULTS[name]:
        return ""
    if name == "columns":
        # Names of fields; the name alone stands for no other column.
        return f"&columns={','.join(value) or 'name'}"
    return f"&{name}={_quote(join_names(value) if name == 'tag_names' else str(value))}"


# The defaults that a link leaves out, in the order of its parameters.
_DEFAULTS = {field.name: field.default for field in fields(TagQuery)}
