"""The canonical form of records: a line of JSON (RFC 8785) for each, in the order of their names."""

import hashlib
from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec

from econweb.upstream.records import Series, Tag

# Stored with each digest. Another form gets another number, and the old one stays readable.
FORM = 1
# The fields of a line in form 1, in their order. A field that records get later is not in it and has a default, so
# that the digest of what did not change stays, and old lines can be read.
_TAG_FIELDS = ("created", "group_id", "name", "notes", "popularity", "series_count")
_SERIES_FIELDS = (
    "frequency",
    "frequency_short",
    "id",
    "last_updated",
    "notes",
    "observation_end",
    "observation_start",
    "popularity",
    "realtime_end",
    "realtime_start",
    "seasonal_adjustment",
    "seasonal_adjustment_short",
    "title",
    "units",
    "units_short",
)
Record = Tag | Series
# msgspec encodes structs in less time than dicts.
_TagLine, _SeriesLine = msgspec.defstruct("_TagLine", _TAG_FIELDS), msgspec.defstruct("_SeriesLine", _SERIES_FIELDS)
_get_tag_values, _get_series_values = attrgetter(*_TAG_FIELDS), attrgetter(*_SERIES_FIELDS)


def write_lines(records: Iterable[Record]) -> bytes:
    """Return the lines in UTF-8; each ends with a line feed."""
    records = [*records]
    lines = msgspec.json.Encoder().encode_lines(map(_to_line, records)).split(b"\n")[:-1]
    return b"".join(line + b"\n" for _, line in sorted(zip(map(sort_key, records), lines, strict=True)))


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


def _to_line(record: Record) -> msgspec.Struct:
    if isinstance(record, Tag):
        return _TagLine(*_get_tag_values(record))
    return _SeriesLine(*_get_series_values(record))


def _to_array(lines: bytes) -> bytes:
    # A line feed inside a text is escaped, so that each one ends a line.
    return b"[" + lines.rstrip(b"\n").replace(b"\n", b",") + b"]"
