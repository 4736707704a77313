"""The overview as a sheet: every category and release that was read."""

from django.utils import timezone

from econweb.dashboard.files.sheet import Column, Sheet, file_name
from econweb.dashboard.list_pages import index_metadata
from econweb.dashboard.overview.results import Overview
from econweb.label_book.lookup import revision as label_revision
from econweb.search_index.tags.owners import NUMBERS, SHARES

COLUMNS = (
    Column("kind"),
    Column("id", "number"),
    Column("name", "long"),
    *(Column(name, "number") for name in (*NUMBERS, *SHARES)),
)


def overview_sheet(overview: Overview, link: str) -> Sheet:
    query = overview.query
    return Sheet(
        name=file_name("overview", query.kind, timezone.localdate()),
        title="Categories and releases with the shares of their series",
        metadata=index_metadata(link),
        columns=COLUMNS,
        rows=[
            (row.owner.kind, row.owner.number, row.owner.name, row.tags, row.series, *row.shares)
            for row in overview.rows()
        ],
        revision=label_revision(),
        plural="owners",
        singular="owner",
        envelope={"count": overview.total, "order_by": query.order_by, "sort_order": query.sort_order},
    )
