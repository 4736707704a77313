"""A list of series as a link says it: which ids, which columns, in which order, in which period."""

import re
from dataclasses import dataclass, fields, replace
from datetime import date
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import QueryDict

from econweb.dashboard.addresses import path_of
from econweb.dashboard.fields import FIELDS
from econweb.dashboard.forms import RealtimeForm, plain, text_field
from econweb.dashboard.pasted import ids_in
from econweb.dashboard.provenance import with_words
from econweb.upstream.queries import SORT_ORDERS, SeriesQuery

MOST_IDS = 200
# A list of the longest ids, and what people leave around them.
LONGEST_TEXT = 20_000
DEFAULT_COLUMNS = (
    "title",
    "frequency",
    "units",
    "seasonal_adjustment",
    "observation_start",
    "observation_end",
    "last_updated",
    "popularity",
)


@dataclass(frozen=True)
class SeriesListQuery:
    """The list's own order is the one in which the ids were given."""

    ids: tuple[str, ...]
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    order_by: str = ""
    sort_order: str = "asc"
    realtime_start: date | None = None
    realtime_end: date | None = None

    def link(self) -> str:
        words = {name: str(value) for name in _PLAIN if (value := getattr(self, name)) != _DEFAULTS[name]}
        if self.columns != DEFAULT_COLUMNS:
            words = {"columns": ",".join(self.columns)} | words
        return urlencode({"ids": ",".join(self.ids)} | words, safe=",")

    def address(self) -> str:
        return with_words(path_of("series_list"), self.link() if self.ids else "")

    def ordered(self, column: str) -> "SeriesListQuery":
        """What a column's head links to: ascending, then descending."""
        down = self.order_by == column and self.sort_order == "asc"
        return replace(self, order_by=column, sort_order="desc" if down else "asc")

    def each(self) -> list[SeriesQuery]:
        return [SeriesQuery(series_id, self.realtime_start, self.realtime_end) for series_id in self.ids]


_PLAIN = ("order_by", "sort_order", "realtime_start", "realtime_end")
_DEFAULTS = {field.name: field.default for field in fields(SeriesListQuery)}


class SeriesListForm(RealtimeForm):
    """`ids` is what somebody pasted; `refused` is what in it cannot be an id."""

    ids = text_field(strip=False)
    columns = text_field()
    order_by = text_field()
    sort_order = text_field()
    refused: tuple[str, ...] = ()

    def __init__(self, given: QueryDict) -> None:
        # Boxes that are ticked are one list.
        joined = given.copy()
        if columns := given.getlist("columns"):
            joined["columns"] = ",".join(columns)
        super().__init__(joined)

    def clean_ids(self) -> tuple[str, ...]:
        # Lines and tabs stand between ids as blanks do.
        text = plain(re.sub(r"\s", " ", self.cleaned_data["ids"]), "ids", LONGEST_TEXT)
        ids, self.refused = ids_in(text)
        if len(ids) > MOST_IDS:
            raise ValidationError(f"ids is a list of at most {MOST_IDS} series; these are {len(ids)}.")
        return ids

    def clean_columns(self) -> tuple[str, ...]:
        chosen = set(filter(None, self.cleaned_data["columns"].split(",")))
        if not chosen <= set(COLUMN_CHOICES):
            raise ValidationError(f"columns is a list of {', '.join(COLUMN_CHOICES)}.")
        # A form sends what is ticked in the order of its boxes: the same columns have one link.
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


# The id is always there.
COLUMN_CHOICES = (*DEFAULT_COLUMNS, *(name for name in FIELDS if name not in {"id", *DEFAULT_COLUMNS}))
