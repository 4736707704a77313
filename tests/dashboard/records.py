"""Records as the service module gives them."""

from typing import Any

import msgspec

from econweb.upstream.records import Series
from tests.builders import a_series


def series_record(series_id: str = "GNPCA", **changes: Any) -> Series:
    """One description, ordinary but for the changes."""
    return msgspec.convert({**a_series(id=series_id), **changes}, Series, strict=False)
