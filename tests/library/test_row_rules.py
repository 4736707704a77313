"""The rules of rows at their limits."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from econweb.library.canonical import digest
from econweb.library.row_rules import find_fault
from tests.library.builders import NOW, a_frozen_copy, a_saved_view

EMPTY = digest(b"")
DAY_OF_YEARS = timedelta(days=3660)


def fault_of(**fields: Any) -> str:
    return find_fault(a_frozen_copy(**{"sha256": EMPTY, "view_sha256": EMPTY, **fields}))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"fetched": datetime(2000, 1, 1, tzinfo=UTC)},
        {"fetched": datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)},
        {"expires": NOW},
        {"expires": NOW + DAY_OF_YEARS},
        {"realtime_start": date(1776, 7, 4)},
        {"warnings": "w" * 10_000, "missing": "m" * 200_000},
        {"service": "https://example.org:8000/econ"},
        {"service": "https://example.org/" + "long/" * 100},
        {"reason": "two\nlines"},
        {"rows": 2, "view_rows": 1, "sha256": "a" * 64, "view_sha256": "b" * 64},
        {"kind": "series", "rows": 1, "view_rows": 1},
    ],
)
def test_row_at_the_limit_is_good(fields: dict[str, Any]) -> None:
    assert fault_of(**fields) == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"fetched": datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC)}, "Its field fetched is not between the years"),
        ({"fetched": datetime(2200, 1, 1, tzinfo=UTC)}, "Its field fetched is not between the years"),
        ({"expires": NOW - timedelta(seconds=1)}, "Its last day is before its first one"),
        ({"expires": NOW + DAY_OF_YEARS + timedelta(seconds=1)}, "Its last day is before its first one"),
        ({"realtime_start": date(1776, 7, 3)}, "Its real-time period starts before"),
        ({"realtime_end": date(2026, 2, 28)}, "Its real-time period ends before it starts."),
        ({"warnings": "w" * 10_001}, "It has more than 10,000 characters of warnings"),
        ({"missing": "m" * 200_001}, "200,000 about missing series"),
        ({"service": "https://example.org:0/"}, "The address of its service is invalid."),
        ({"service": "https://ada@example.org/"}, "The address of its service is invalid."),
        ({"service": "https://example.org/a b"}, "The address of its service is invalid."),
        ({"service": "ftp://example.org/"}, "The address of its service is invalid."),
        ({"title": ""}, "Its field title is invalid. Expected `str` of length >= 1."),
        ({"title": "t" * 201}, "Its field title is invalid."),
        ({"audience": "all"}, "Its field audience is invalid."),
        ({"sha256": ""}, "Its field sha256 is invalid."),
        ({"title": "two\nlines"}, "Its field title has a character that is not allowed."),
        ({"kind": "series"}, "It has no series."),
        ({"kind": "series", "rows": 2, "view_rows": 1, "view_sha256": "b" * 64}, "Its view has 1 rows of 2"),
        ({"view_rows": 1}, "Its view has 1 rows of 0"),
        ({"view_sha256": "b" * 64}, "The rows of its view do not match their SHA-256 digest."),
        ({"sha256": "a" * 64, "view_sha256": "a" * 64}, "It has no rows, but the digest of some."),
        ({"body_id": "a" * 64}, "Its content is that of another copy."),
        ({"withdrawn": NOW}, "Its withdrawal lacks a person or a moment."),
        ({"withdrawn_by": "ada"}, "Its withdrawal lacks a person or a moment."),
    ],
)
def test_row_beyond_the_limit_has_a_fault(fields: dict[str, Any], words: str) -> None:
    assert words in fault_of(**fields)


def test_saved_view_has_one_line_of_title() -> None:
    assert find_fault(a_saved_view()) == ""
    assert "Its field title has" in find_fault(a_saved_view(title="two\nlines"))
    assert "Its field title is invalid." in find_fault(a_saved_view(title=""))
