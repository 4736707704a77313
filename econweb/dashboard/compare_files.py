"""Comparisons as sheets."""

from collections.abc import Mapping

from econweb.dashboard.compare_query import CompareQuery
from econweb.dashboard.compare_series import Field
from econweb.dashboard.compare_table import TagComparison
from econweb.dashboard.files.sheets import Column, Sheet, file_name
from econweb.dashboard.provenance import as_of, provenance, stamp
from econweb.upstream.records import SeriesPage

APPROXIMATE = "Counts of two replies are approximate: the service counts anew each time."


def tag_comparison_sheet(comparison: TagComparison, link: str) -> Sheet:
    query = comparison.query
    counts = [Column(f"{letter}_series_count", "number") for letter in query.letters]
    shares = [Column(f"{letter}_share", "number") for letter in query.letters]
    sources = {
        letter: f"{comparison.sources[letter].title}, as of {as_of(page.realtime_start, page.realtime_end)}, "
        f"fetched {stamp(page.kept.fetched)}{', stale' if page.kept.stale else ''}"
        for letter, page in comparison.pages.items()
    }
    ends = (
        ("difference_points", "ratio_of_shares")
        if comparison.shares_known
        else ("difference_series_count", "ratio_of_series_counts")
    )
    filters = {"tag_group_id": query.tag_group_id, "only": query.only}
    said = "; ".join(f"{name}: {value}" for name, value in filters.items() if value)
    return Sheet(
        name=file_name("compare", *(str(side) for side in query.sides.values()), *filters.values()),
        title=f"Tags of {query.titles}",
        facts={"source": link, **sources, "filters": said or "none"}
        | {"order": f"{query.order_by} {query.sort_order}", "rows": str(len(comparison.view))}
        | {"note": APPROXIMATE},
        columns=(
            *(Column("name"), Column("group_id"), *counts, *shares),
            *(Column(name, "number") for name in ends),
        ),
        rows=(
            (
                *(row.name, row.group_id, *row.counts, *map(_rounded, row.shares)),
                # With 0 added, none is -0.0.
                *(round(row.difference, 2) + 0, _rounded(row.ratio)),
            )
            for row in comparison.view
        ),
        fetched=[page.kept.fetched for page in comparison.pages.values()],
        plural="rows",
        singular="row",
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def series_comparison_sheet(
    query: CompareQuery, pages: Mapping[str, SeriesPage], rows: list[Field], link: str
) -> Sheet:
    sources = {}
    for letter, page in pages.items():
        reply = page.reply
        facts = provenance(str(query.sides[letter]), reply.realtime_start, reply.realtime_end, page.kept)
        sources[letter] = "; ".join(f"{name}: {value}" for name, value in facts.items())
    return Sheet(
        name=file_name("compare", *(str(side) for side in query.sides.values())),
        title=f"Descriptions of {query.titles}",
        facts={"source": link, **sources, "rows": str(len(rows))},
        columns=(Column("field"), *(Column(letter, "long") for letter in query.letters), Column("differs")),
        rows=((row.name, *row.values, "yes" if row.differs else "no") for row in rows),
        fetched=[page.kept.fetched for page in pages.values()],
        plural="rows",
        singular="row",
    )
