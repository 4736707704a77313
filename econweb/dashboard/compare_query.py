"""What a link compares: two to six sources, each perhaps on a day of its own, and which rows are shown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from urllib.parse import parse_qs, urlencode, urlsplit

from django import forms
from django.core.exceptions import ValidationError

from econweb.dashboard.addresses import path_of
from econweb.dashboard.destinations import Destination, destinations, series_at
from econweb.dashboard.forms import contradictions, day_in, plain, text_field
from econweb.dashboard.pasted import holds_key
from econweb.dashboard.provenance import with_words
from econweb.upstream.queries import SORT_ORDERS

LETTERS = "abcdef"
MOST_ROWS = 100
# Of an address that stands for a source.
MOST_CHARACTERS = 2000
_SERIES = re.compile(r"series[:/ ]([A-Za-z0-9_]{1,25})")
_DAY = re.compile(r"@([0-9]{4}-[0-9]{2}-[0-9]{2})\Z")
_EXAMPLES = "category:125, release:53@2020-01-31, series:GNPCA, a name or an address"


@dataclass(frozen=True)
class Side:
    """One source; without a day it is as it stands today."""

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
    """`order_by` is a letter for the counts of that source, `difference` or `ratio`, or a field of a tag."""

    sides: Mapping[str, Side] = field(default_factory=dict)
    tag_group_id: str = ""
    # Rows that are in `all`, or in no source but that of a letter.
    only: str = ""
    order_by: str = "a"
    sort_order: str = "desc"
    offset: int = 0

    @property
    def letters(self) -> str:
        return "".join(self.sides)

    @property
    def titles(self) -> str:
        return " · ".join(side.title for side in self.sides.values())

    def link(self) -> str:
        words = {letter: str(side) for letter, side in self.sides.items()}
        plain = [
            one for one in fields(self) if one.name != "sides" and getattr(self, one.name) != one.default
        ]
        return urlencode(words | {one.name: str(getattr(self, one.name)) for one in plain}, safe=":@")

    def address(self) -> str:
        return with_words(path_of("compare"), self.link())

    def replace(self, **changes: object) -> "CompareQuery":
        return replace(self, **{"offset": 0, **changes})  # type: ignore[arg-type]

    def ordered(self, order_by: str) -> "CompareQuery":
        """A head's link: its own direction first, the other one when it is in use."""
        first = "asc" if order_by in {"name", "group_id"} else "desc"
        turned = {"asc": "desc", "desc": "asc"}[first]
        in_use = order_by == self.order_by and self.sort_order == first
        return self.replace(order_by=order_by, sort_order=turned if in_use else first)


class CompareForm(forms.Form):
    """Sources are named from `a` on; gaps close."""

    tag_group_id = text_field()
    only = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = text_field()

    def clean_tag_group_id(self) -> str:
        return plain(self.cleaned_data["tag_group_id"], "tag_group_id", longest=100)

    def clean_offset(self) -> int:
        digits = self.cleaned_data["offset"] or "0"
        if not re.fullmatch(r"[0-9]{1,6}", digits):
            raise ValidationError("offset is a whole number from 0 to 999999.")
        return int(digits)

    def clean(self) -> None:
        for name in contradictions(self.data, [*LETTERS, *self.fields]):
            self.add_error(None, f"{name} is given more than once, with different values.")
        given = [str(self.data.get(letter, "")).strip() for letter in LETTERS]
        sides = []
        for letter, text in zip(LETTERS, given, strict=True):
            try:
                sides.extend([side_in(text)] if text else [])
            except ValidationError as error:
                self.add_error(None, f"{letter}: {error.message}")
        if len({side.kind == "series" for side in sides}) > 1:
            self.add_error(None, "Tags are compared with tags, and series with series.")
        self.cleaned_data["sides"] = dict(zip(LETTERS, sides, strict=False))
        self._check("only", ["", "all", *LETTERS[: len(sides)]])
        self._check("order_by", ["", "name", "group_id", "difference", "ratio", *LETTERS[: len(sides)]])
        self._check("sort_order", ["", *SORT_ORDERS])

    def held_key(self) -> bool:
        """Of the service, in the address of a source."""
        return any(holds_key(str(self.data.get(letter, ""))) for letter in LETTERS)

    def query(self) -> CompareQuery:
        return CompareQuery(**{name: value for name, value in self.cleaned_data.items() if value})

    def _check(self, name: str, words: list[str]) -> None:
        if self.cleaned_data.get(name, "") not in words:
            self.add_error(name, f"{name} is one of {', '.join(filter(None, words))}.")


def side_in(text: str) -> Side:
    """What the one box understands as a category, a release or a series; a day may stand behind it."""
    day = _DAY.search(text)
    place = _place_in(plain(text[: day.start()] if day else text, "A source", longest=MOST_CHARACTERS))
    period = parse_qs(urlsplit(place.link).query)
    pinned = period.get("realtime_start", []) == period.get("realtime_end")
    written = day[1] if day else period["realtime_end"][0] if pinned else ""
    return Side(place.kind, place.id, day_in(written, "Its day") if written else None)


def _place_in(text: str) -> Destination:
    series = _SERIES.fullmatch(text)
    places = [series_at(series[1])] if series else [one for one in destinations(text) if one.kind]
    if len(places) == 1:
        return places[0]
    if not places:
        raise ValidationError(f"A source is written like {_EXAMPLES}.")
    meant = " or ".join(
        f"{place.kind}:{place.id}{f' ({place.name})' if place.name else ''}" for place in places
    )
    raise ValidationError(f"“{text}” may mean {meant}. Write one of these.")
