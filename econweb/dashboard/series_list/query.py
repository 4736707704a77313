"""The query of a series list: ids, columns, order and period."""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import date

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.page_links import encode_query, url_path, with_query
from econweb.upstream.queries import SeriesQuery, next_sort_order

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
# The id is always shown.
COLUMN_CHOICES = (*DEFAULT_COLUMNS, *(name for name in FIELDS if name not in {"id", *DEFAULT_COLUMNS}))
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

    def query_string(self) -> str:
        values = {name: str(value) for name in _PLAIN_FIELDS if (value := getattr(self, name)) != _DEFAULTS[name]}
        if self.columns != DEFAULT_COLUMNS:
            values = {"columns": ",".join(self.columns)} | values
        return encode_query({"ids": ",".join(self.ids)} | values)

    def link(self) -> str:
        return with_query(url_path("series_list"), self.query_string() if self.ids else "")

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
