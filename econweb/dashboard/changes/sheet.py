"""The record of changes as a sheet."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from econweb.accounts.models import Change
from econweb.dashboard.files.sheet import Column, Sheet, file_name

COLUMNS = (
    *(Column(name) for name in ("moment", "person", "verb", "kind", "key")),
    *(Column(name, "long") for name in ("title", "before", "after", "reason")),
    Column("request_id"),
)


def changes_sheet(found: QuerySet[Change], link: str) -> Sheet:
    return Sheet(
        name=file_name("changes", timezone.localdate()),
        title="Record of changes",
        metadata={"source": link, "kept": f"{settings.CHANGES_DAYS} days"},
        columns=COLUMNS,
        # Read here: while the file is sent, the request has no connection to the database of its own.
        rows=[
            (
                f"{change.moment:%Y-%m-%d %H:%M:%S+00:00}",
                change.person,
                change.verb,
                change.kind,
                change.key,
                change.title,
                change.before_json,
                change.after_json,
                change.reason,
                change.request_id,
            )
            for change in found
        ],
        fetched=[change.moment for change in found[:1]],
        plural="changes",
        singular="change",
    )
