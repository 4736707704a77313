"""Comparisons as sheets."""

from collections.abc import Mapping

from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.records import note_on_search
from econweb.dashboard.comparison.series import Field, note_on_days, note_on_popularity
from econweb.dashboard.comparison.table import TagComparison
from econweb.dashboard.files.provenance import describe_source, provenance
from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.upstream.records import SeriesPage

APPROXIMATE = "Counts are approximate."


def tag_comparison_sheet(comparison: TagComparison, link: str) -> Sheet:
    query = comparison.query
    counts = [Column(f"{letter}_series_count", "number") for letter in query.letters]
    shares = [Column(f"{letter}_share", "number") for letter in query.letters]
    sources = {
        letter: describe_source(query.sources[letter].label, page.realtime_start, page.realtime_end, page.freshness)
        for letter, page in comparison.pages.items()
    }
    ends: tuple[str, ...] = (
        ("difference_points", "ratio_of_shares")
        if comparison.has_shares
        else ("difference_series_count", "ratio_of_series_counts")
    )
    if has_spread := not comparison.is_pair:
        ends = (*ends, "spread")
    # The page has the spread alone.
    compared = f"{ends[0]} is the last source minus the first, and {ends[1]} the last divided by the first."
    filters = {"tag_group_id": query.tag_group_id, "only": query.only}
    filters_text = "; ".join(f"{name}: {value}" for name, value in filters.items() if value)
    return Sheet(
        name=file_name("compare", *(str(source) for source in query.sources.values()), *filters.values()),
        title=f"Tags of {query.titles}",
        metadata={"source": link, "service": query.services, **sources, "filters": filters_text or "none"}
        | {"order": f"{query.order_by} {query.sort_order}", "rows": str(len(comparison.view))}
        | {"note": notes_on_tags(comparison, compared if has_spread else "")},
        columns=(*(Column("name"), Column("group_id"), *counts, *shares), *(Column(name, "number") for name in ends)),
        rows=(
            (
                *(row.name, row.group_id, *row.counts, *map(_round, row.shares)),
                # Adding 0 turns -0.0 into 0.0.
                *(round(row.difference, 2) + 0, _round(row.ratio)),
                *([round(row.spread, 2)] if has_spread else []),
            )
            for row in comparison.view
        ),
        fetched=[page.freshness.fetched for page in comparison.pages.values()],
        plural="rows",
        singular="row",
    )


def notes_on_tags(comparison: TagComparison, compared: str = "") -> str:
    """Return the notes on a table, of which one may say what its columns compare."""
    notes = (APPROXIMATE, compared, note_on_search(comparison.query.sources), comparison.note_on_shares)
    return " ".join(filter(None, notes))


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def series_comparison_sheet(
    query: CompareQuery, pages: Mapping[str, SeriesPage], rows: list[Field], link: str
) -> Sheet:
    sources, notes = {}, [*note_on_days(pages), *note_on_popularity(query.sources.values())]
    for letter, page in pages.items():
        reply = page.reply
        metadata = provenance(str(query.sources[letter]), reply.realtime_start, reply.realtime_end, page.freshness)
        metadata["service"] = query.sources[letter].service
        sources[letter] = "; ".join(f"{name}: {value}" for name, value in metadata.items())
    return Sheet(
        name=file_name("compare", *(str(source) for source in query.sources.values())),
        title=f"Descriptions of {query.titles}",
        metadata={"source": link, **sources, "rows": str(len(rows))} | ({"note": " ".join(notes)} if notes else {}),
        columns=(Column("field"), *(Column(letter, "long") for letter in query.letters), Column("differs")),
        rows=((row.name, *row.values, row.differs) for row in rows),
        fetched=[page.freshness.fetched for page in pages.values()],
        plural="rows",
        singular="row",
    )
