"""A series as a sheet."""

from datetime import date
from operator import attrgetter
from typing import get_type_hints

from econweb.dashboard.display.fields import FIELDS, field_label
from econweb.dashboard.files.provenance import provenance
from econweb.dashboard.files.sheet import Column, Kind, Sheet, file_name
from econweb.dashboard.realtime import as_of, is_past
from econweb.dashboard.series.versions import notes_on_past
from econweb.upstream.records import Series, SeriesPage

_LONG_FIELDS = {"title", "units", "notes"}
_NUMBER_FIELDS = {name for name, kind in get_type_hints(Series).items() if kind is int}


def export_kind(field: str) -> Kind:
    if field in _NUMBER_FIELDS:
        return "number"
    return "long" if field in _LONG_FIELDS else "text"


def column(name: str) -> Column:
    return Column(name, export_kind(name), field_label(name))


def series_sheet(page: SeriesPage, link: str, asked: date | None) -> Sheet:
    """Return the sheet of a series; `asked` is the last day that the view asks for."""
    reply, newest = page.reply, page.reply.seriess[-1]
    period = as_of(reply.realtime_start, reply.realtime_end)
    return Sheet(
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
