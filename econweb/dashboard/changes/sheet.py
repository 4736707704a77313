"""The record of changes as a sheet: a bounded number of rows from the offset of the link on."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from econweb.accounts.models import Change
from econweb.dashboard.changes.query import ChangesQuery
from econweb.dashboard.files.sheet import Column, Sheet, file_name

# A change has 1 kB, and 16 kB at most.
MAX_ROWS = 5000
COLUMNS = (
    *(Column(name) for name in ("moment", "person", "verb", "kind", "key")),
    *(Column(name, "long") for name in ("title", "before", "after", "reason")),
    Column("request_id"),
)
_FIELDS = ("person", "verb", "kind", "key", "title", "before_json", "after_json", "reason", "request_id")


def changes_sheet(found: QuerySet[Change], query: ChangesQuery, link: str) -> Sheet:
    rows = list(found.values_list("pk", "moment", *_FIELDS)[query.offset : query.offset + MAX_ROWS])
    return Sheet(
        name=file_name("changes", query.offset, timezone.localdate()),
        title="Record of changes",
        metadata={"source": link, "kept": f"{settings.CHANGES_DAYS} days", **_describe_part(found, query, len(rows))},
        columns=COLUMNS,
        rows=((f"{moment:%Y-%m-%d %H:%M:%S+00:00}", *others) for _, moment, *others in rows),
        # A stored change stays as it is.
        revision=[number for number, *_ in rows],
        plural="changes",
        singular="change",
    )


def _describe_part(found: QuerySet[Change], query: ChangesQuery, rows: int) -> dict[str, str]:
    """Return the warning of a file that lacks rows."""
    # Only a full file needs a count.
    total = found.count() if query.offset or rows == MAX_ROWS else rows
    if total == rows:
        return {}
    last = query.offset + rows
    more = f" The next ones are in the file with offset={last}." if last < total else ""
    return {"warning": f"{rows:,} of {total:,} changes, from number {query.offset + 1:,} on.{more}"}
