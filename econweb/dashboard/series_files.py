"""The descriptions of one series as a sheet: a row for each version within its period."""

from operator import attrgetter

from econweb.dashboard.fields import FIELDS, kind_of
from econweb.dashboard.files.sheets import Column, Sheet, file_name
from econweb.dashboard.provenance import as_of, provenance
from econweb.upstream.records import SeriesPage


def column(name: str) -> Column:
    return Column(name, kind_of(name))


def series_sheet(page: SeriesPage, link: str) -> Sheet:
    reply, newest = page.reply, page.reply.seriess[-1]
    period = as_of(reply.realtime_start, reply.realtime_end)
    return Sheet(
        name=file_name("series", newest.id, period),
        title=f"Series {newest.id}, {newest.title}",
        facts=provenance(link, reply.realtime_start, reply.realtime_end, page.kept)
        | {"rows": str(len(reply.seriess))},
        columns=tuple(column(name) for name in FIELDS),
        rows=map(attrgetter(*FIELDS), reply.seriess),
        fetched=(page.kept.fetched,),
        plural="seriess",
        singular="series",
        envelope={"realtime_start": reply.realtime_start, "realtime_end": reply.realtime_end},
        optional=frozenset({"notes"}),
    )
