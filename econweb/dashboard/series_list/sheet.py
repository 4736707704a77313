"""A series list as a sheet: a row for each series found; the metadata names the others."""

from collections.abc import Sequence
from operator import attrgetter

from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.files.provenance import provenance
from econweb.dashboard.files.responses import has_whole_records
from econweb.dashboard.files.sheet import Sheet, file_name
from econweb.dashboard.lookup.known_series import ask_for, name_parts
from econweb.dashboard.parameter_checks import MAX_REPEATED
from econweb.dashboard.realtime import as_of
from econweb.dashboard.series.sheet import column
from econweb.dashboard.series_list.loading import SeriesList

_MAX_NAMED = 3


def series_list_sheet(
    results: SeriesList, link: str, suffix: str, refused: Sequence[str] = (), warnings: Sequence[str] = ()
) -> Sheet:
    """Return the sheet of a list; its link may have had words that cannot be ids."""
    query = results.query
    names = FIELDS if has_whole_records(suffix) else ("id", *query.columns)
    start, end = results.period()
    period = as_of(start, end)
    ids = [series.id for series in results.found]
    more = f"and-{len(ids) - _MAX_NAMED}-more" if len(ids) > _MAX_NAMED else ""
    # attrgetter returns no tuple for a single column.
    get = [attrgetter(name) for name in names]
    return Sheet(
        name=file_name("series", *ids[:_MAX_NAMED], more, period),
        title=results.size(),
        metadata=provenance(link, start, end, results.freshness())
        | {"order": f"{query.order_by} {query.sort_order}" if query.order_by else "as given", "rows": str(len(ids))}
        | _describe_missing(results, refused)
        | ({"warning": " ".join(warnings)} if warnings else {})
        | ({"note": results.note} if results.note else {}),
        columns=tuple(column(name) for name in names),
        rows=([value(series) for value in get] for series in results.found),
        fetched=[entry.page.freshness.fetched for entry in results.entries if entry.page],
        plural="seriess",
        singular="series",
        envelope={"realtime_start": start, "realtime_end": end},
        optional=frozenset({"notes"} & set(names)),
    )


def _describe_missing(results: SeriesList, refused: Sequence[str]) -> dict[str, str]:
    missing = [f"{entry.series_id}: {entry.error}" for entry in results.missing]
    parts = name_parts(refused)
    ignored = [f"{word[:MAX_REPEATED]}: This is not a series id.{ask_for(parts.get(word, ''))}" for word in refused]
    text = "; ".join([*missing, *ignored])
    return {"missing": text} if text else {}
