"""The query of a comparison: two to six sources, each optionally on a day, and the rows to show."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from urllib.parse import parse_qs, urlsplit

from django import forms
from django.core.exceptions import ValidationError

from econweb.dashboard.api_keys import contains_key
from econweb.dashboard.forms import checked_text, conflicting_parameters, parse_day, text_field
from econweb.dashboard.links import encode_query, url_path, with_query
from econweb.dashboard.search.destinations import Destination, find_destinations, series_at
from econweb.upstream.queries import SORT_ORDERS, next_sort_order

LETTERS = "abcdef"
MAX_COMPARISON_ROWS = 100
# Of the address of a source.
MAX_SOURCE_LENGTH = 2000
_SERIES = re.compile(r"series[:/ ]([A-Za-z0-9_]{1,25})")
_DAY = re.compile(r"@([0-9]{4}-[0-9]{2}-[0-9]{2})\Z")
_EXAMPLES = "category:125, release:53@2020-01-31, series:GNPCA, a name or an address"


@dataclass(frozen=True)
class ComparedSource:
    """One source; without a day, as of today."""

    kind: str
    id: str
    day: date | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}{f'@{self.day}' if self.day else ''}"

    @property
    def title(self) -> str:
        return f"{self.kind.capitalize()} {self.id}{f' on {self.day}' if self.day else ''}"


@dataclass(frozen=True)
class CompareQuery:
    """One view. `order_by` is the letter of a source, `difference`, `ratio`, or a field of a tag."""

    sources: Mapping[str, ComparedSource] = field(default_factory=dict)
    tag_group_id: str = ""
    # `all`, or the letter of the only source that has the tag.
    only: str = ""
    order_by: str = "a"
    sort_order: str = "desc"
    offset: int = 0

    @property
    def letters(self) -> str:
        return "".join(self.sources)

    @property
    def titles(self) -> str:
        return " · ".join(side.title for side in self.sources.values())

    def link(self) -> str:
        values = {letter: str(side) for letter, side in self.sources.items()}
        plain = [one for one in fields(self) if one.name != "sources" and getattr(self, one.name) != one.default]
        return encode_query(values | {one.name: str(getattr(self, one.name)) for one in plain})

    def address(self) -> str:
        return with_query(url_path("compare"), self.link())

    def without_days(self) -> "CompareQuery":
        return replace(self, sources={letter: replace(side, day=None) for letter, side in self.sources.items()})

    def replace(self, **changes: object) -> "CompareQuery":
        return replace(self, **{"offset": 0, **changes})  # type: ignore[arg-type]

    def sorted_by(self, order_by: str) -> "CompareQuery":
        """Return the view that a column's header links to."""
        own = "asc" if order_by in {"name", "group_id"} else "desc"
        sort_order = next_sort_order(own, self.sort_order if order_by == self.order_by else None)
        return self.replace(order_by=order_by, sort_order=sort_order)


class CompareForm(forms.Form):
    """Parameters of a comparison; an empty source moves the later ones up a letter."""

    tag_group_id = text_field()
    only = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = text_field()

    def clean_tag_group_id(self) -> str:
        return checked_text(self.cleaned_data["tag_group_id"], "tag_group_id", longest=100)

    def clean_offset(self) -> int:
        digits = self.cleaned_data["offset"] or "0"
        if not re.fullmatch(r"[0-9]{1,6}", digits):
            raise ValidationError("offset is a whole number from 0 to 999999.")
        return int(digits)

    def clean(self) -> None:
        for name in conflicting_parameters(self.data, [*LETTERS, *self.fields]):
            self.add_error(None, f"{name} is given more than once, with different values.")
        given = [str(self.data.get(letter, "")).strip() for letter in LETTERS]
        sides = []
        for letter, text in zip(LETTERS, given, strict=True):
            try:
                sides.extend([parse_source(text)] if text else [])
            except ValidationError as error:
                self.add_error(None, f"{letter}: {error.message}")
        if len({side.kind == "series" for side in sides}) > 1:
            self.add_error(None, "Tags are compared with tags, and series with series.")
        self.cleaned_data["sources"] = dict(zip(LETTERS, sides, strict=False))
        self._check("only", ["", "all", *LETTERS[: len(sides)]])
        self._check("order_by", ["", "name", "group_id", "difference", "ratio", *LETTERS[: len(sides)]])
        self._check("sort_order", ["", *SORT_ORDERS])

    def has_key(self) -> bool:
        """Return whether the address of a source contains an API key."""
        return any(contains_key(str(self.data.get(letter, ""))) for letter in LETTERS)

    def query(self) -> CompareQuery:
        return CompareQuery(**{name: value for name, value in self.cleaned_data.items() if value})

    def _check(self, name: str, words: list[str]) -> None:
        if self.cleaned_data.get(name, "") not in words:
            self.add_error(name, f"{name} is one of {', '.join(filter(None, words))}.")


def parse_source(text: str) -> ComparedSource:
    """Parse whatever the search box accepts, with an optional `@` and day."""
    day = _DAY.search(text)
    place = _find_place(checked_text(text[: day.start()] if day else text, "A source", longest=MAX_SOURCE_LENGTH))
    period = parse_qs(urlsplit(place.link).query)
    pinned = period.get("realtime_start", []) == period.get("realtime_end")
    written = day[1] if day else period["realtime_end"][0] if pinned else ""
    return ComparedSource(place.kind, place.id, parse_day(written, "date") if written else None)


def _find_place(text: str) -> Destination:
    series = _SERIES.fullmatch(text)
    places = [series_at(series[1])] if series else [one for one in find_destinations(text) if one.kind]
    if len(places) == 1:
        return places[0]
    if not places:
        raise ValidationError(f"A source is written like {_EXAMPLES}.")
    meant = " or ".join(f"{place.kind}:{place.id}{f' ({place.name})' if place.name else ''}" for place in places)
    raise ValidationError(f"“{text}” may mean {meant}. Write one of these.")
