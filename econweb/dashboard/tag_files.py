"""The tags of a view as a sheet: all rows, in its order, with everything that says which view it was."""

from operator import attrgetter

from econweb.dashboard.files.sheets import Column, Sheet, Value, file_name
from econweb.dashboard.provenance import as_of, provenance
from econweb.dashboard.tag_results import TagResults
from econweb.upstream.queries import TagQuery

# Spec 2.4, in its order.
COLUMNS = (
    Column("name"),
    Column("group_id"),
    Column("notes", "long"),
    Column("created"),
    Column("popularity", "number"),
    Column("series_count", "number"),
)
_row = attrgetter(*(column.name for column in COLUMNS))


def tag_sheet(results: TagResults, link: str) -> Sheet:
    source, query, page = results.source, results.query, results.page
    period = as_of(page.realtime_start, page.realtime_end)
    filters = (query.tag_group_id, *query.tag_names, query.search_text)
    return Sheet(
        name=file_name(source.kind, source.number, "tags", *filters, period),
        title=f"Tags of {source.kind} {source.number}{f', {source.name}' if source.name else ''}",
        facts=provenance(link, page.realtime_start, page.realtime_end, page.kept)
        | {
            "filters": filters_in_words(query),
            "order": f"{query.order_by} {query.sort_order}",
            "rows": str(page.count),
        }
        | ({"warning": " ".join(page.warnings)} if page.warnings else {}),
        columns=COLUMNS,
        rows=map(_row, page.matches),
        fetched=(page.kept.fetched,),
        plural="tags",
        singular="tag",
        envelope=_envelope(results),
    )


def filters_in_words(query: TagQuery) -> str:
    """In the words of spec 4.5."""
    given = {
        "tag_names": ", ".join(query.tag_names),
        "tag_group_id": query.tag_group_id,
        "search_text": query.search_text,
    }
    return "; ".join(f"{name}: {value}" for name, value in given.items() if value) or "none"


def _envelope(results: TagResults) -> dict[str, Value]:
    """Spec 2.3, of one reply that holds every row; a limit is at least 1."""
    query, page = results.query, results.page
    return {
        "realtime_start": page.realtime_start,
        "realtime_end": page.realtime_end,
        "order_by": query.order_by,
        "sort_order": query.sort_order,
        "count": page.count,
        "offset": 0,
        "limit": max(1, page.count),
    }
