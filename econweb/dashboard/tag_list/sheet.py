"""The list of tags as a sheet: every row."""

from django.utils import timezone

from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.list_pages import index_metadata
from econweb.dashboard.tag_list.results import TagList

COLUMNS = (
    Column("name"),
    Column("group_id"),
    Column("occurrence_count", "number"),
    Column("popularity", "number"),
)


def tag_list_sheet(found: TagList, link: str) -> Sheet:
    query = found.query
    return Sheet(
        name=file_name("tags", query.q, query.tag_group_id, timezone.localdate()),
        title=f"Tags {found.in_words()}".rstrip(),
        metadata=index_metadata(link),
        columns=COLUMNS,
        rows=((tag.name, tag.group_id, tag.occurrence_count, tag.popularity) for tag in found.rows()),
        plural="tags",
        singular="tag",
        envelope={"count": found.total, "order_by": query.order_by, "sort_order": query.direction},
    )
