"""The table of a series list: headers that sort, and a cell for each chosen column."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from html import escape

from django.utils.safestring import SafeString, mark_safe

from econweb.dashboard.display.controls import ColumnHeader, sorting_header
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.display.notes import notes_cell
from econweb.dashboard.page_links import series_link
from econweb.dashboard.rendering.filters import day as format_day
from econweb.dashboard.series.sheet import export_kind
from econweb.dashboard.series_list.loading import ListEntry, SeriesList
from econweb.dashboard.series_list.query import DEFAULT_COLUMNS
from econweb.upstream.queries import SeriesQuery
from econweb.upstream.records import Series

# Characters of a cell; the rest of a longer one is folded.
MAX_UNFOLDED = 200


# Cells of a card on a phone that need a word before them, which the style sheet has. It knows the default columns by
# their place, so that their cells need no class.
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


def _render_cell(series: Series, column: str, is_usual: bool) -> str:
    """Render a cell in few bytes. Its text is escaped; long texts are folded as notes are."""
    value = getattr(series, column)
    text = format_day(value) if isinstance(value, date) else "" if value is None else str(value)
    if column == "notes" or len(text) > MAX_UNFOLDED:
        return notes_cell(text)
    kind = "" if is_usual else _get_css_class(column)
    return f"<td{f' class={kind}' if kind else ''}>{escape(text)}"


@dataclass(frozen=True)
class Table:
    """Columns and rows for the template."""

    results: SeriesList

    @property
    def is_usual(self) -> bool:
        return self.results.query.columns == DEFAULT_COLUMNS

    def columns(self) -> Iterator[ColumnHeader]:
        query = self.results.query
        for key in ("id", *query.columns):
            yield sorting_header(query, key, field_label(key), _get_css_class(key))

    def rows(self, with_ids: object) -> SafeString:
        """Render the rows in few bytes. Only rows that are still to come need ids, for the request that loads them."""
        # Every value went through escape().
        return mark_safe("".join(self._render_row(one, with_ids) for one in self.results.entries))  # noqa: S308

    def _render_row(self, one: ListEntry, with_ids: object) -> str:
        query, name = self.results.query, escape(one.series_id)
        link = escape(series_link(SeriesQuery(one.series_id, query.realtime_start, query.realtime_end)))
        head = f"<tr{f' id=row-{name}' if with_ids else ''}><th scope=row>"
        if one.series:
            cells = "".join(_render_cell(one.series, column, self.is_usual) for column in query.columns)
            return f'{head}<a href="{link}">{name}</a>{cells}'
        head += name if one.error else f'<a href="{link}">{name}</a>'
        return f"{head}<td class=pending colspan={len(query.columns)}>{escape(one.error or 'loading…')}"
