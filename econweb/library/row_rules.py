"""Rules of every saved view and frozen copy, whether a person or a file brought it: texts, moments and numbers.

The types of the fields and the lengths of short ones are in `file_format.py`.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Model

from econweb.library import canonical
from econweb.library.file_format import find_wrong_field
from econweb.library.models import FrozenCopy, SavedView
from econweb.upstream.queries import FIRST_DAY

# Control characters, line separators, and those that turn the direction of the text around them.
_ODD_LETTERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffd]")
# Fields of several lines.
_LINES = {"note", "reason", "withdrawn_reason", "warnings", "missing"}
# In characters: texts of the service, of which 200 series that are missing have one each.
MAX_WARNINGS, MAX_MISSING = 10_000, 200_000
FIRST_MOMENT, LAST_MOMENT = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
# Forms offer a year at most.
LONGEST_KEPT = timedelta(days=3660)


def has_odd_letters(text: str) -> bool:
    """Return whether a text has a character that changes how others are shown; a line feed is none."""
    return bool(_ODD_LETTERS.search(text))


def find_fault(row: SavedView | FrozenCopy) -> str:
    """Return in words which rule the row breaks; an empty text where it breaks none."""
    fault = find_wrong_field(row) or next(_faults_of_values(row), "")
    return next(_faults_of_copy(row), "") if isinstance(row, FrozenCopy) and not fault else fault


def _faults_of_values(row: Model) -> Iterator[str]:
    for field in row._meta.concrete_fields:
        name, value = field.attname, getattr(row, field.attname)
        if isinstance(value, str):
            if has_odd_letters(value) or ("\n" in value and name not in _LINES):
                yield f"Its field {name} has a character that is not allowed."
        elif isinstance(value, datetime) and not FIRST_MOMENT <= value < LAST_MOMENT:
            yield f"Its field {name} is not between the years {FIRST_MOMENT.year} and {LAST_MOMENT.year}."


def _faults_of_copy(copy: FrozenCopy) -> Iterator[str]:
    if not _is_service(copy.service):
        yield "The address of its service is invalid."
    if copy.realtime_start > copy.realtime_end:
        yield "Its real-time period ends before it starts."
    if copy.realtime_start < FIRST_DAY:
        yield f"Its real-time period starts before {FIRST_DAY}."
    if copy.expires and not timedelta() <= copy.expires - copy.created <= LONGEST_KEPT:
        yield "Its last day is before its first one, or more than ten years later."
    if len(copy.warnings) > MAX_WARNINGS or len(copy.missing) > MAX_MISSING:
        yield f"It has more than {MAX_WARNINGS:,} characters of warnings, or {MAX_MISSING:,} about missing series."
    yield from _faults_of_numbers(copy)


def _faults_of_numbers(copy: FrozenCopy) -> Iterator[str]:
    if copy.body_id not in {None, copy.sha256}:
        yield "Its content is that of another copy."
    if copy.kind != "tags" and not copy.rows:
        yield "It has no series."
    if copy.view_rows > copy.rows or (copy.kind != "tags" and copy.view_rows != copy.rows):
        yield f"Its view has {copy.view_rows} rows of {copy.rows}, which cannot be."
    if copy.view_rows == copy.rows and copy.view_sha256 != copy.sha256:
        yield "The rows of its view do not match their SHA-256 digest."
    if not copy.rows and copy.sha256 != canonical.digest(b""):
        yield "It has no rows, but the digest of some."
    if copy.withdrawn and copy.body_id:
        yield "It was withdrawn, and its content is still here."
    if bool(copy.withdrawn) != bool(copy.withdrawn_by):
        yield "Its withdrawal lacks a person or a moment."


def _is_service(address: str) -> bool:
    """Return whether this is the address of a service; that of the embedded one is empty."""
    try:
        parts: Any = urlsplit(address)
        is_valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False
    return not address or bool(is_valid and re.fullmatch(r"[!-~]+", address))
