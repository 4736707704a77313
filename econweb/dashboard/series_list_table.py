"""The table of a list of series: heads that sort, and a cell for each chosen column."""

from collections.abc import Iterator
from dataclasses import dataclass

from econweb.dashboard.controls import DIRECTIONS, Head
from econweb.dashboard.fields import kind_of, name_of
from econweb.dashboard.provenance import series_link
from econweb.dashboard.series_list import SeriesList
from econweb.upstream.queries import SeriesQuery


def _class_of(column: str) -> str:
    kind = kind_of(column)
    return kind if kind == "number" else ""


@dataclass(frozen=True)
class Row:
    """One series; `trouble` stands in the place of all cells, and without it they have not come yet."""

    series_id: str
    link: str
    cells: tuple[tuple[str, str], ...]
    trouble: str


@dataclass(frozen=True)
class Table:
    """What the template walks through."""

    found: SeriesList

    def columns(self) -> Iterator[Head]:
        query = self.found.query
        for key in ("id", *query.columns):
            following = query.ordered(key)
            yield Head(
                key=key,
                name=name_of(key),
                link=following.address(),
                sorted=DIRECTIONS[query.sort_order] if key == query.order_by else "",
                next=DIRECTIONS[following.sort_order],
                kind=_class_of(key),
            )

    def rows(self) -> Iterator[Row]:
        query = self.found.query
        for one in self.found.listed:
            link = series_link(SeriesQuery(one.series_id, query.realtime_start, query.realtime_end))
            cells: tuple[tuple[str, str], ...] = ()
            if one.series:
                values = [(name, getattr(one.series, name)) for name in query.columns]
                cells = tuple(
                    (_class_of(name), "" if value is None else str(value)) for name, value in values
                )
            yield Row(one.series_id, link, cells, one.trouble)
