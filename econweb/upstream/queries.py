"""What is asked: frozen values that know the parameters of the contract that they stand for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote_plus

# Spec 4.5; the direction is the one in which a reader wants to see a column first.
ORDER_BYS = {
    "series_count": "desc",
    "popularity": "desc",
    "created": "desc",
    "name": "asc",
    "group_id": "asc",
}
SORT_ORDERS = ("asc", "desc")
# Spec 2.5.
CONTRACT_GROUPS = {
    "freq": "Frequency",
    "gen": "General or Concept",
    "geo": "Geography",
    "geot": "Geography Type",
    "rls": "Release",
    "seas": "Seasonal Adjustment",
    "src": "Source",
}
# Services of this kind send one more. A group that is not here is as good as these.
TAG_GROUPS = CONTRACT_GROUPS | {"cc": "Citation and Copyright"}


@dataclass(frozen=True)
class SeriesQuery:
    """Spec 4.2; a bound that is None is left to the service."""

    series_id: str
    realtime_start: date | None = None
    realtime_end: date | None = None

    def parameters(self) -> dict[str, str]:
        return {"series_id": self.series_id} | _words(self, ("realtime_start", "realtime_end"))

    def link(self) -> str:
        """The query string behind the path of the series; empty when nothing differs from the default."""
        words = _words(self, ("realtime_start", "realtime_end"))
        return "&".join([f"{name}={_encoded_word(word)}" for name, word in words.items()])


@dataclass(frozen=True)
class TagQuery:
    """Spec 4.5, with the defaults of a page; equal views are equal values and have equal links."""

    tag_names: tuple[str, ...] = ()
    tag_group_id: str = ""
    search_text: str = ""
    order_by: str = "series_count"
    sort_order: str = "desc"
    limit: int = 50
    offset: int = 0
    realtime_start: date | None = None
    realtime_end: date | None = None

    def __post_init__(self) -> None:
        # Any of the names is wanted, so neither their order nor a second mention says anything.
        object.__setattr__(self, "tag_names", tuple(sorted({name for name in self.tag_names if name})))
        object.__setattr__(self, "search_text", " ".join(self.search_text.split()))

    def link(self, **changes: Any) -> str:
        """The query string of this view: fixed order, defaults left out, encoded once."""
        if _may_be_untidy(changes):
            return self.replace(**changes).link()
        # Or of the one that `replace` would give: a page has some twenty links that differ in one word.
        said = self._said_with(changes) if changes else self._said
        return "".join(said.values())[1:]

    def links(self, name: str, values: Iterable[Any]) -> Iterator[str]:
        """Those of views that differ in this alone; the values are such as a query has."""
        said = self._said_with({})
        for value in values:
            said[name] = _word(name, value)
            yield "".join(said.values())[1:]

    @cached_property
    def _said(self) -> dict[str, str]:
        """Each word with the sign that stands between it and the one before."""
        values = vars(self)
        return {name: _word(name, values[name]) for name in _USUAL}

    def _said_with(self, changes: Mapping[str, Any]) -> dict[str, str]:
        said = {**self._said, "offset": ""}
        for name, value in changes.items():
            said[name] = _word(name, value)
        return said

    def source_parameters(self) -> dict[str, str]:
        """What the service is asked; all the rest is answered from the complete set."""
        return _words(self, ("search_text", "realtime_start", "realtime_end"))

    def replace(self, **changes: Any) -> "TagQuery":
        """The view with something changed, from its first row unless it is the place that changes."""
        changed = object.__new__(TagQuery)
        # To set each field of a frozen value again takes five times as long.
        vars(changed).update(vars(self), offset=0)
        vars(changed).update(changes)
        if _may_be_untidy(changes):
            vars(changed).pop("_said", None)
            changed.__post_init__()
        else:
            vars(changed)["_said"] = self._said_with(changes)
        return changed

    def next_sort_order(self, order_by: str) -> str:
        """What a column's head leads to: its own direction first, the other one when it is in use."""
        own = ORDER_BYS[order_by]
        in_use = order_by == self.order_by and own == self.sort_order
        return own if not in_use else "asc" if own == "desc" else "desc"

    def names_without_one(self) -> list[tuple[str, ...]]:
        """Of each name in turn, all the others."""
        names = self.tag_names
        return [names[:place] + names[place + 1 :] for place in range(len(names))]

    def without_filters(self) -> "TagQuery":
        return self.replace(tag_names=(), tag_group_id="", search_text="")

    @property
    def page_number(self) -> int:
        """Counted from 1; a row in the middle of a page belongs to it."""
        return self.offset // self.limit + 1

    def page_count(self, matches: int) -> int:
        return max(1, -(-matches // self.limit))

    def page(self, number: int) -> "TagQuery":
        return self.replace(offset=(number - 1) * self.limit)

    def previous_page(self) -> "TagQuery | None":
        return self.replace(offset=max(0, self.offset - self.limit)) if self.offset else None

    def next_page(self, matches: int) -> "TagQuery | None":
        following = self.offset + self.limit
        return self.replace(offset=following) if following < matches else None


def join_names(names: Iterable[str]) -> str:
    r"""Names with `;` between them; a name's own `;` is written `\;` and its own `\` is written `\\`."""
    return ";".join(
        re.sub(r"([\\;])", r"\\\1", name) if ";" in name or "\\" in name else name for name in names
    )


def split_names(text: str) -> tuple[str, ...]:
    r"""The names that `join_names` joined; a `\` before anything else is an ordinary character."""
    pieces = re.findall(r"((?:\\[\\;]|[^;])+)", text)
    return tuple(re.sub(r"\\([\\;])", r"\1", piece) for piece in pieces)


def _words(query: SeriesQuery | TagQuery, names: Iterable[str]) -> dict[str, str]:
    """Parameters that differ from their default, as text."""
    defaults, values = type(query).__dict__, vars(query)
    return {name: str(values[name]) for name in names if values[name] != defaults[name]}


@lru_cache(maxsize=10_000)
def _encoded_word(word: str) -> str:
    """The links of a page have most of their words in common."""
    return quote_plus(word)


def _word(name: str, value: Any) -> str:
    if value == _USUAL[name]:
        return ""
    return f"&{name}={_encoded_word(join_names(value) if name == 'tag_names' else str(value))}"


def _may_be_untidy(changes: Mapping[str, object]) -> bool:
    """What is given of names or words may say more than is asked."""
    return changes.get("tag_names", ()) != () or changes.get("search_text", "") != ""


# What a link leaves out, in the order in which it says the rest.
_USUAL = {field.name: field.default for field in fields(TagQuery)}
