"""Comparisons as tables on paper: the columns and words of the page, and a caption that names the sources."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from econweb.dashboard.comparison.difference import RecordComparison
from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.sheets import notes_on_tags
from econweb.dashboard.comparison.sources import Sources, name_sources
from econweb.dashboard.comparison.table import TagComparison
from econweb.dashboard.comparison.tags import ComparedTag
from econweb.dashboard.display.fields import field_label
from econweb.dashboard.display.notes import notes_text
from econweb.dashboard.files.sheet import Column, Row, Sheet, Value
from econweb.dashboard.realtime import as_of
from econweb.dashboard.rendering.filters import grouped, signed
from econweb.upstream.queries import group_label
from econweb.upstream.records import SeriesPage

NOT_HERE = "—"


def typeset_tags(sheet: Sheet, comparison: TagComparison) -> Sheet:
    days = {letter: as_of(page.realtime_start, page.realtime_end) for letter, page in comparison.pages.items()}
    gaps = comparison.gap_columns()
    numbers = "number and share of series" if comparison.has_shares else "number of series"
    caption = f"Tags of {_with_days(comparison.query.sources, days)}: {numbers}"
    heads = ("Group", *comparison.names.values(), *(name for name, _ in gaps.values()))
    return replace(
        sheet,
        # The columns of other files need a note more.
        metadata={**sheet.metadata, "note": notes_on_tags(comparison)},
        caption=". ".join([caption, *(title for _, title in gaps.values())]) + ".",
        columns=[Column("name", "long", "Tag"), *(Column("", label=head) for head in heads)],
        rows=([row.name, group_label(row.group_id), *_cells(row, comparison)] for row in comparison.view),
    )


def _cells(row: ComparedTag, comparison: TagComparison) -> Iterator[str]:
    for count, share in row.cells():
        size = NOT_HERE if count is None else grouped(count)
        # Without the blank of the page, six columns fit.
        yield size if share is None else f"{size} ({share:.1%})"
    if not comparison.is_pair:
        yield f"{row.spread:.1f}" if comparison.has_shares else grouped(int(row.spread))
        return
    yield signed(row.difference)
    if comparison.has_ratios:
        only = comparison.names.get(row.only(comparison.query.letters), "")
        yield f"only in {only}" if row.ratio is None else f"{row.ratio:.2f}"


def typeset_series(sheet: Sheet, query: CompareQuery, pages: Mapping[str, SeriesPage]) -> Sheet:
    days = {letter: as_of(page.reply.realtime_start, page.reply.realtime_end) for letter, page in pages.items()}
    heads = ["Field", *name_sources(query.sources).values(), "Differs"]
    return replace(
        sheet,
        caption=f"Records of {_with_days(query.sources, days)}.",
        columns=_rename(sheet, heads),
        rows=_in_words(sheet.rows, 0),
    )


def typeset_difference(sheet: Sheet, comparison: RecordComparison) -> Sheet:
    sources = comparison.query.sources
    days = {letter: as_of(one.realtime_start, one.realtime_end) for letter, one in comparison.found.items()}
    keys = ["Tag", "Group"] if sources["a"].content == "tags" else ["Series"]
    heads = ["Change", *keys, "Field", *comparison.headings().values()]
    return replace(
        sheet,
        caption=f"Difference of {_with_days(sources, days)}.",
        columns=_rename(sheet, heads),
        rows=_in_words(sheet.rows, len(keys) + 1),
    )


def _with_days(sources: Sources, days: Mapping[str, str]) -> str:
    """Return the names of the sources, each with its day unless the name has it."""
    names = name_sources(sources).items()
    return " compared with ".join(name if days[at] in name else f"{name}, as of {days[at]}" for at, name in names)


def _rename(sheet: Sheet, heads: Iterable[str]) -> list[Column]:
    return [column._replace(label=head) for column, head in zip(sheet.columns, heads, strict=True)]


def _in_words(rows: Iterable[Row], at: int) -> Iterator[list[Value]]:
    """Name the fields as the page does, and take the markup out of notes."""
    for row in rows:
        values = [notes_text(str(value or "")) for value in row] if row[at] == "notes" else [*row]
        yield [*values[:at], field_label(str(row[at])), *values[at + 1 :]]
