"""The results of a search as a sheet: every row up to the bound of a search."""

from django.utils import timezone

from econweb.dashboard.files.provenance import name_source
from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.series_search.results import SearchResults
from econweb.search_index.titles import title_index

COLUMNS = (
    Column("id"),
    Column("title", "long"),
    Column("frequency"),
    Column("units", "long"),
    Column("seasonal_adjustment"),
    Column("popularity", "number"),
    Column("discontinued"),
)


def search_sheet(results: SearchResults, link: str) -> Sheet:
    query, rows = results.query, results.rows()
    return Sheet(
        name=file_name("search", query.q, query.frequency, query.seasonal_adjustment, timezone.localdate()),
        title=f"Series with {results.in_words()}",
        metadata=name_source(link)
        | {
            "words": results.searched,
            "rows": str(len(rows)),
            # Changes whenever the titles do.
            "index": f"{title_index.revision():x}",
        }
        | ({"warning": f"{results.size()} of more."} if results.found.indexed.is_more else {}),
        columns=COLUMNS,
        rows=(
            (
                row.series_id,
                row.title,
                row.frequency,
                row.units,
                row.seasonal_adjustment,
                row.popularity,
                "yes" if results.has_ended(row) else "no",
            )
            for row in rows
        ),
        # Where no titles are stored, the rows change with every series that is opened.
        revision=rows,
        plural="seriess",
        singular="series",
        envelope={"count": results.total, "offset": query.offset, "limit": results.limit},
    )
