"""Saved views and frozen copies for tests."""

from datetime import UTC, date, datetime
from typing import Any

from econweb.accounts.people import Person, Role
from econweb.library.canonical import Record
from econweb.library.freezing import Content, Draft
from econweb.library.models import EVERYONE, FrozenCopy, SavedView, new_id
from econweb.upstream.records import Series, Tag

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = date(2026, 3, 1)
ADA = Person("ada", Role.READER)
DRAFT = Draft(title="Trade tags", reason="For table 2", audience=EVERYONE)
TARGET = "/category/125/tags/"


def a_tag(name: str = "usa", count: int = 9, **fields: Any) -> Tag:
    return Tag(
        **{"group_id": "geo", "created": "2012-02-27 10:18:19-06", "popularity": 1, **fields},
        name=name,
        series_count=count,
    )


def a_series_record(series_id: str, start: date, **fields: Any) -> Series:
    texts = ("title", "frequency", "frequency_short", "units", "units_short")
    adjustment = ("seasonal_adjustment", "seasonal_adjustment_short")
    given = {**dict.fromkeys((*texts, *adjustment), "x"), "last_updated": "2012-02-27 10:18:19-06", "popularity": 1}
    days = {"realtime_start": start, "realtime_end": DAY, "observation_start": start, "observation_end": DAY}
    return Series(**{**given, **days, **fields}, id=series_id)


def a_content(*given_records: Record, **fields: Any) -> Content:
    records: tuple[Record, ...] = given_records or (a_tag("usa"), a_tag("nation", 5))
    given = {"kind": "tags", "target": TARGET, "realtime_start": DAY, "realtime_end": DAY, "fetched": NOW}
    return Content(**{**given, "records": records, "view": records, **fields})


def a_saved_view(**fields: Any) -> SavedView:
    given = {"slug": "trade", "title": "Trade", "kind": "tags", "target": TARGET, "person": "ada", "audience": EVERYONE}
    return SavedView(**{**given, "created": NOW, "changed": NOW, **fields})


def a_frozen_copy(**fields: Any) -> FrozenCopy:
    """Return a copy without content."""
    given = {"id": new_id(), "title": "Trade", "kind": "tags", "target": TARGET, "person": "ada", "audience": EVERYONE}
    period = {"realtime_start": DAY, "realtime_end": DAY, "fetched": NOW, "created": NOW, "changed": NOW}
    numbers = {"is_complete": True, "form": 1, "rows": 0, "view_rows": 0}
    return FrozenCopy(**{**given, **period, **numbers, **fields})
