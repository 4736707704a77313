"""The query of a series list: ids, columns, order and period."""

import re
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import date

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.forms import RealtimeForm, checked_text, text_field
from econweb.dashboard.links import encode_query, url_path, with_query
from econweb.dashboard.search.pasted_ids import parse_ids
from econweb.upstream.queries import SORT_ORDERS, SeriesQuery, next_sort_order

MAX_IDS = 200
# Enough for the longest ids and the text that was pasted with them.
MAX_TEXT_LENGTH = 20_000
DEFAULT_COLUMNS = (
    "title",
    "units",
    "frequency",
    "seasonal_adjustment",
    "observation_start",
    "observation_end",
    "last_updated",
    "popularity",
)
# Numbers and dates, whose largest ones are useful first; words go from A to Z.
NEWEST_FIRST = {"popularity", *(name for name in FIELDS if name.startswith(("observation_", "realtime_", "last_")))}


@dataclass(frozen=True)
class SeriesListQuery:
    """One view of a list; without `order_by` the ids keep the order in which they were given."""

    ids: tuple[str, ...]
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    order_by: str = ""
    sort_order: str = "asc"
    realtime_start: date | None = None
    realtime_end: date | None = None

    def link(self) -> str:
        values = {name: str(value) for name in _PLAIN_FIELDS if (value := getattr(self, name)) != _DEFAULTS[name]}
        if self.columns != DEFAULT_COLUMNS:
            values = {"columns": ",".join(self.columns)} | values
        return encode_query({"ids": ",".join(self.ids)} | values)

    def address(self) -> str:
        return with_query(url_path("series_list"), self.link() if self.ids else "")

    def sorted_by(self, column: str) -> "SeriesListQuery":
        """Return the view that a column's header links to."""
        own = "desc" if column in NEWEST_FIRST else "asc"
        sort_order = next_sort_order(own, self.sort_order if column == self.order_by else None)
        return replace(self, order_by=column, sort_order=sort_order)

    def without(self, ids: Collection[str]) -> "SeriesListQuery":
        return replace(self, ids=tuple(series_id for series_id in self.ids if series_id not in ids))

    def series_queries(self) -> list[SeriesQuery]:
        return [SeriesQuery(series_id, self.realtime_start, self.realtime_end) for series_id in self.ids]


_PLAIN_FIELDS = ("order_by", "sort_order", "realtime_start", "realtime_end")
_DEFAULTS = {field.name: field.default for field in fields(SeriesListQuery)}


class SeriesListForm(RealtimeForm):
    """Parse pasted text into `ids`; `refused` are the words that cannot be ids."""

    ids = text_field(strip=False)
    columns = text_field()
    order_by = text_field()
    sort_order = text_field()
    refused: tuple[str, ...] = ()

    def __init__(self, given: QueryDict) -> None:
        # Each ticked box sends one value.
        joined = given.copy()
        if columns := given.getlist("columns"):
            joined["columns"] = ",".join(columns)
        super().__init__(joined)

    def clean_ids(self) -> tuple[str, ...]:
        # Line breaks and tabs separate ids as blanks do.
        text = checked_text(re.sub(r"\s", " ", self.cleaned_data["ids"]), "ids", MAX_TEXT_LENGTH)
        ids, self.refused = parse_ids(text)
        if len(ids) > MAX_IDS:
            raise ValidationError(f"ids is a list of at most {MAX_IDS} series; these are {len(ids)}.")
        return ids

    def clean_columns(self) -> tuple[str, ...]:
        chosen = set(filter(None, self.cleaned_data["columns"].split(",")))
        if not chosen <= set(COLUMN_CHOICES):
            raise ValidationError(f"columns is a list of {', '.join(COLUMN_CHOICES)}.")
        # The order of the boxes, so that the same columns have one link.
        return tuple(name for name in COLUMN_CHOICES if name in chosen) or DEFAULT_COLUMNS

    def clean_order_by(self) -> str:
        order_by = str(self.cleaned_data["order_by"])
        if order_by and order_by not in FIELDS:
            raise ValidationError(f"order_by is one of {', '.join(FIELDS)}.")
        return order_by

    def clean_sort_order(self) -> str:
        sort_order = self.cleaned_data["sort_order"] or "asc"
        if sort_order not in SORT_ORDERS:
            raise ValidationError(f"sort_order is one of {', '.join(SORT_ORDERS)}.")
        return str(sort_order)

    def query(self) -> SeriesListQuery:
        return SeriesListQuery(**self.cleaned_data)


# The id is always shown.
COLUMN_CHOICES = (*DEFAULT_COLUMNS, *(name for name in FIELDS if name not in {"id", *DEFAULT_COLUMNS}))
