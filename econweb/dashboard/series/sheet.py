"""A series as a sheet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from operator import attrgetter
from typing import get_type_hints

from econweb.dashboard.display.fields import FIELDS, field_label
from econweb.dashboard.display.notes import print_notes
from econweb.dashboard.files.provenance import provenance
from econweb.dashboard.files.sheet import Column, Kind, Sheet, Value, file_name
from econweb.dashboard.realtime import as_of, is_past
from econweb.dashboard.series.versions import notes_on_past
from econweb.upstream.records import Series, SeriesPage

_LONG_FIELDS = {"title", "units", "notes"}
# Versions beside one another on paper; further ones are below them.
_MAX_BESIDE = 3
_NUMBER_FIELDS = {name for name, kind in get_type_hints(Series).items() if kind is int}


def export_kind(field: str) -> Kind:
    if field in _NUMBER_FIELDS:
        return "number"
    return "long" if field in _LONG_FIELDS else "text"


def column(name: str) -> Column:
    return Column(name, export_kind(name), field_label(name))


def series_sheet(page: SeriesPage, link: str, asked: date | None, suffix: str) -> Sheet:
    """Return the sheet of a series; `asked` is the last day that the view asks for.

    The fields of a record are too many columns for a page of paper. There each of them is a row.
    """
    reply, newest = page.reply, page.reply.seriess[-1]
    period = as_of(reply.realtime_start, reply.realtime_end)
    sheet = Sheet(
        name=file_name("series", newest.id, period),
        title=f"Series {newest.id}, {newest.title}",
        metadata=provenance(link, reply.realtime_start, reply.realtime_end, page.freshness)
        | {"rows": str(len(reply.seriess))}
        | ({"note": notes_on_past([newest], reply.realtime_end)} if is_past(asked, page.freshness.fetched) else {}),
        columns=tuple(column(name) for name in FIELDS),
        rows=map(attrgetter(*FIELDS), reply.seriess),
        fetched=(page.freshness.fetched,),
        plural="seriess",
        singular="series",
        envelope={"realtime_start": reply.realtime_start, "realtime_end": reply.realtime_end},
        optional=frozenset({"notes"}),
    )
    return _typeset(sheet, reply.seriess) if suffix == "tex" else sheet


def _typeset(sheet: Sheet, versions: Sequence[Series]) -> Sheet:
    beside = min(len(versions), _MAX_BESIDE)
    columns = [Column("label", label="Field"), *(Column("value", "long") for _ in range(beside))]
    return replace(sheet, columns=columns, rows=_rows_of_fields(versions, beside))


def _rows_of_fields(versions: Sequence[Series], beside: int) -> Iterator[list[Value]]:
    for at in range(0, len(versions), beside):
        shown = versions[at : at + beside]
        for name in FIELDS:
            values = [getattr(one, name) for one in shown]
            printed = [print_notes(text or "") for text in values] if name == "notes" else values
            yield [field_label(name), *printed, *[""] * (beside - len(shown))]
