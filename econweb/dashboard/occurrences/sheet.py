"""Occurrences of a tag as a sheet: every category and release that has it."""

from django.utils import timezone

from econweb.dashboard.files.provenance import name_source
from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.occurrences.results import TagOccurrences

COLUMNS = (
    Column("kind"),
    Column("id", "number"),
    Column("name", "long"),
    Column("series_count", "number"),
    Column("share", "number"),
)


def occurrence_sheet(results: TagOccurrences, link: str, covered: str, revision: int) -> Sheet:
    tag, selection = results.tag, results.query.selection
    return Sheet(
        name=file_name("tag", tag.name, selection.kind, timezone.localdate()),
        title=f"Where the tag “{tag.name}” occurs",
        metadata=name_source(link)
        | {
            "group": tag.group_id,
            "coverage": covered,
            # Changes whenever a tag or count does.
            "index": f"{revision:x}",
        },
        columns=COLUMNS,
        rows=(
            (row.owner.kind, row.owner.number, row.owner.name, row.series_count, round(row.share, 6))
            for row in results.rows()
        ),
        fetched=(),
        plural="occurrences",
        singular="occurrence",
        envelope={"count": results.total, "order_by": selection.order_by, "sort_order": selection.sort_order},
    )
