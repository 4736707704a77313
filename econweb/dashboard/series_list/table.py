"""The table of a series list: headers that sort, and a cell for each chosen column."""

from collections.abc import Iterator
from dataclasses import dataclass

from econweb.dashboard.display.controls import DIRECTIONS, ColumnHeader
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.links import series_link
from econweb.dashboard.series.sheet import export_kind
from econweb.dashboard.series_list.loading import SeriesList
from econweb.upstream.queries import SeriesQuery


def _get_css_class(column: str) -> str:
    kind = export_kind(column)
    return kind if kind == "number" else ""


@dataclass(frozen=True)
class Row:
    """One series. Without cells it has an error, or is still loading."""

    series_id: str
    link: str
    cells: tuple[tuple[str, str], ...]
    error: str


@dataclass(frozen=True)
class Table:
    """Columns and rows for the template."""

    found: SeriesList

    def columns(self) -> Iterator[ColumnHeader]:
        query = self.found.query
        for key in ("id", *query.columns):
            following = query.sorted_by(key)
            yield ColumnHeader(
                key=key,
                name=field_label(key),
                link=following.address(),
                sorted=DIRECTIONS[query.sort_order] if key == query.order_by else "",
                next=DIRECTIONS[following.sort_order],
                kind=_get_css_class(key),
            )

    def rows(self) -> Iterator[Row]:
        query = self.found.query
        for one in self.found.entries:
            link = series_link(SeriesQuery(one.series_id, query.realtime_start, query.realtime_end))
            cells: tuple[tuple[str, str], ...] = ()
            if one.series:
                values = [(name, getattr(one.series, name)) for name in query.columns]
                cells = tuple((_get_css_class(name), "" if value is None else str(value)) for name, value in values)
            yield Row(one.series_id, link, cells, one.error)
