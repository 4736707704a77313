"""A list of series as a sheet: a row for each series that was found, the others named among the facts."""

from operator import attrgetter

from econweb.dashboard.fields import FIELDS
from econweb.dashboard.files.formats import has_whole_records
from econweb.dashboard.files.sheets import Sheet, file_name
from econweb.dashboard.provenance import as_of, provenance
from econweb.dashboard.series_files import column
from econweb.dashboard.series_list import SeriesList

_NAMED = 3


def series_list_sheet(found: SeriesList, link: str, suffix: str) -> Sheet:
    names = FIELDS if has_whole_records(suffix) else ("id", *found.query.columns)
    start, end = found.period()
    period = as_of(start, end)
    ids = [series.id for series in found.found]
    more = f"and-{len(ids) - _NAMED}-more" if len(ids) > _NAMED else ""
    # A row of one column is no tuple to attrgetter.
    get = [attrgetter(name) for name in names]
    return Sheet(
        name=file_name("series", *ids[:_NAMED], more, period),
        title=found.size(),
        facts=provenance(link, start, end, found.kept())
        | {"order": f"{found.query.order_by or 'as given'} {found.query.sort_order}", "rows": str(len(ids))}
        | _missing(found),
        columns=tuple(column(name) for name in names),
        rows=([value(series) for value in get] for series in found.found),
        fetched=[listed.page.kept.fetched for listed in found.listed if listed.page],
        plural="seriess",
        singular="series",
        envelope={"realtime_start": start, "realtime_end": end},
        optional=frozenset({"notes"} & set(names)),
    )


def _missing(found: SeriesList) -> dict[str, str]:
    words = "; ".join(f"{listed.series_id}: {listed.trouble}" for listed in found.missing)
    return {"missing": words} if words else {}
