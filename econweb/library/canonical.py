"""The canonical form of records: a line of JSON (RFC 8785) for each, in the order of their names."""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from econweb.upstream.records import Series, Tag

# Stored with each digest. Another form gets another number, and the old one stays readable.
FORM = 1
Record = Tag | Series


def write_lines(records: Iterable[Record]) -> bytes:
    """Return the lines in UTF-8; each ends with a line feed."""
    lines = sorted((sort_key(record), msgspec.json.encode(record, order="sorted")) for record in records)
    return b"".join(line + b"\n" for _, line in lines)


def read_tags(lines: bytes) -> tuple[Tag, ...]:
    return msgspec.json.decode(_to_array(lines), type=tuple[Tag, ...])


def read_series(lines: bytes) -> tuple[Series, ...]:
    return msgspec.json.decode(_to_array(lines), type=tuple[Series, ...])


def read_records(kind: str, lines: bytes) -> tuple[Tag, ...] | tuple[Series, ...]:
    """Return the records of a copy of this kind."""
    return read_tags(lines) if kind == "tags" else read_series(lines)


def digest(lines: bytes) -> str:
    return hashlib.sha256(lines).hexdigest()


def sort_key(record: Record) -> Sequence[str]:
    if isinstance(record, Tag):
        return record.name, record.group_id
    return record.id, str(record.realtime_start)


def _to_array(lines: bytes) -> bytes:
    # A line feed inside a text is escaped, so that each one ends a line.
    return b"[" + lines.rstrip(b"\n").replace(b"\n", b",") + b"]"
