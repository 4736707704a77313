"""The table of a series list: headers that sort, and a cell for each chosen column."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from html import escape

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.controls import DIRECTIONS, ColumnHeader
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.display.notes import notes_cell
from econweb.dashboard.page_links import series_link
from econweb.dashboard.rendering.filters import day as format_day
from econweb.dashboard.series.sheet import export_kind
from econweb.dashboard.series_list.loading import SeriesList
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series

# Characters of a cell; the rest of a longer one is folded.
MAX_UNFOLDED = 200


# Cells of a card on a phone that need a word before them, which the style sheet has.
_CSS_CLASSES = {
    "title": "title",
    "observation_start": "from",
    "observation_end": "to",
    "realtime_start": "since",
    "realtime_end": "until",
    "last_updated": "updated",
}


def _get_css_class(column: str) -> str:
    kind = export_kind(column)
    return kind if kind == "number" else _CSS_CLASSES.get(column, "")


def _render_cell(series: Series, column: str) -> str:
    """Render a cell. Its text is escaped; long texts are folded as notes are."""
    value = getattr(series, column)
    text = format_day(value) if isinstance(value, date) else str(value or "")
    if column == "notes" or len(text) > MAX_UNFOLDED:
        return notes_cell(text)
    kind = _get_css_class(column)
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f"<td>{escape(text)}</td>"


@dataclass(frozen=True)
class Row:
    """One series. Without cells it has an error, or is still loading."""

    series_id: str
    link: str
    cells: SafeString
    error: str


@dataclass(frozen=True)
class Table:
    """Columns and rows for the template."""

    listing: SeriesList

    def columns(self) -> Iterator[ColumnHeader]:
        query = self.listing.query
        for key in ("id", *query.columns):
            following = query.sorted_by(key)
            yield ColumnHeader(
                key=key,
                name=field_label(key),
                link=following.link(),
                sorted=DIRECTIONS[query.sort_order] if key == query.order_by else "",
                next=DIRECTIONS[following.sort_order],
                kind=_get_css_class(key),
            )

    def rows(self) -> Iterator[Row]:
        query = self.listing.query
        for one in self.listing.entries:
            link = series_link(SeriesQuery(one.series_id, query.realtime_start, query.realtime_end))
            cells = "".join(_render_cell(one.series, name) for name in query.columns) if one.series else ""
            # Every value went through escape() in _render_cell.
            yield Row(one.series_id, link, mark_safe(cells), one.error)  # noqa: S308
