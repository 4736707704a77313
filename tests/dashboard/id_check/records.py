"""Series as a service sends them, with dates that lie some days before today."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from tests.builders import a_series

SINCE = "2025-01-01"


def days_ago(days: int) -> date:
    return timezone.localdate() - timedelta(days=days)


def current(series_id: str = "A", **changes: Any) -> dict[str, Any]:
    """One version of a monthly series that is updated, and valid from 2013 on."""
    recent = {"observation_end": str(days_ago(40)), "last_updated": f"{days_ago(5)} 07:50:04-05"}
    monthly = {"frequency": "Monthly", "frequency_short": "M", "popularity": 1}
    return {**a_series(id=series_id), **monthly, **recent, **changes}


def versions(series_id: str, before: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    """Two versions: the second, from 2025-07-01 on, is the one of today."""
    old = current(series_id, realtime_end="2025-06-30", **before)
    return [old, current(series_id, realtime_start="2025-07-01", **changes)]
