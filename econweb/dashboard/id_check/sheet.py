"""A check as a sheet: a row for each id, and in front of them whether everything is fine."""

from collections.abc import Sequence
from operator import attrgetter

from django.utils import timezone

from econweb.dashboard.files.provenance import format_utc, name_source
from econweb.dashboard.files.sheet import Column, Sheet, Value, file_name
from econweb.dashboard.id_check.results import CheckResults, Row

_RECORD_FIELDS = ("title", "units", "frequency", "observation_end", "last_updated")
COLUMNS = (
    Column("id"),
    Column("verdict"),
    Column("also"),
    Column("reason", "long"),
    Column("title", "long"),
    Column("units", "long"),
    *map(Column, _RECORD_FIELDS[2:]),
)


def check_sheet(results: CheckResults, link: str, warnings: Sequence[str]) -> Sheet:
    query, today = results.query, timezone.localdate()
    rows = [_to_row(row, results.explain(row)) for row in results.rows]
    fetched = [one.fetched for one in results.checked if one.fetched]
    oldest = {"oldest answer": format_utc(min(fetched))} if fetched else {}
    warning = {"warning": " ".join(warnings)} if warnings else {}
    since = {"changes since": str(query.since)} if query.since else {}
    return Sheet(
        name=file_name("check", *query.words[:3], today),
        title=results.summary(),
        metadata=name_source(link) | since | {"rows": str(len(rows))} | oldest | warning,
        columns=COLUMNS,
        rows=rows,
        plural="checks",
        singular="check",
        envelope={
            "fine": results.is_fine,
            "complete": results.is_complete,
            "checked": today,
            "since": query.since,
            "count": len(results.checked),
            "not_fine": results.wrong_count,
            "cannot_tell": results.unknown_count,
            "not_checked": results.pending_count,
            "retry_after": results.retry_after,
        },
        fetched=fetched,
        # The ids that may be meant change with the series that this site has shown.
        revision=rows,
    )


def _to_row(row: Row, reason: str) -> list[Value]:
    series = row.checked.series
    record = attrgetter(*_RECORD_FIELDS)(series) if series else [None] * len(_RECORD_FIELDS)
    return [row.checked.series_id, row.verdict, row.also, reason, *record]
