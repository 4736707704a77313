"""The list of tags as a sheet: every row."""

from django.utils import timezone

from econweb.dashboard.files.provenance import name_source
from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.tag_list.results import TagList

COLUMNS = (
    Column("name"),
    Column("group_id"),
    Column("occurrences", "number"),
    Column("popularity", "number"),
)


def tag_list_sheet(found: TagList, link: str, covered: str, revision: int) -> Sheet:
    query = found.query
    return Sheet(
        name=file_name("tags", query.q, query.tag_group_id, timezone.localdate()),
        title=f"Tags {found.in_words()}".rstrip(),
        metadata=name_source(link)
        | {
            "coverage": covered,
            # Changes whenever a tag or count does.
            "index": f"{revision:x}",
        },
        columns=COLUMNS,
        rows=((tag.name, tag.group_id, tag.occurrences, tag.popularity) for tag in found.rows()),
        fetched=(),
        plural="tags",
        singular="tag",
        envelope={"count": len(found.found), "order_by": query.order_by, "sort_order": query.direction},
    )
