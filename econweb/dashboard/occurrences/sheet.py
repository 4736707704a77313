"""Occurrences of a tag as a sheet: every category and release that has it."""

from django.utils import timezone

from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.list_pages import index_metadata
from econweb.dashboard.occurrences.results import TagOccurrences
from econweb.label_book.lookup import revision as label_revision

COLUMNS = (
    Column("kind"),
    Column("id", "number"),
    Column("name", "long"),
    Column("series_count", "number"),
    Column("share", "number"),
)


def occurrence_sheet(results: TagOccurrences, link: str) -> Sheet:
    tag, query = results.tag, results.query
    return Sheet(
        name=file_name("tag", tag.name, query.kind, timezone.localdate()),
        title=f"Where the tag “{tag.name}” occurs",
        metadata=index_metadata(link, group=tag.group_id),
        columns=COLUMNS,
        rows=[
            (row.owner.kind, row.owner.number, row.owner.name, row.series_count, round(row.share, 6))
            for row in results.rows()
        ],
        revision=label_revision(),
        plural="occurrences",
        singular="occurrence",
        envelope={"count": results.total, "order_by": query.order_by, "sort_order": query.sort_order},
    )
