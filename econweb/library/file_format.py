"""The lines of a file that has a whole library: a head, frozen copies after their content, saved views, and an end."""

import hashlib
from datetime import date, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from econweb.accounts.models import MAX_PERSON
from econweb.library.models import (
    ALPHABET,
    ID_LENGTH,
    MAX_NOTE,
    MAX_OWNER_NAME,
    MAX_TARGET,
    MAX_TITLE,
    Body,
    FrozenCopy,
    SavedView,
)

VERSION = 1
MAX_INTEGER = 2**31 - 1

Title = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE)]
Note = Annotated[str, Meta(max_length=MAX_NOTE)]
Target = Annotated[str, Meta(min_length=1, max_length=MAX_TARGET)]
PersonName = Annotated[str, Meta(min_length=1, max_length=MAX_PERSON)]
Audience = Literal["me", "signed-in", "everyone"]
Moment = Annotated[datetime, Meta(tz=True)]
Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Count = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


class Head(Struct, tag="econweb library", forbid_unknown_fields=True):
    """The first line."""

    version: int


class End(Struct, tag="end", forbid_unknown_fields=True):
    """The last line, with the number and the digest of all lines before it: a cut or damaged file has another."""

    lines: int
    sha256: str


class BodyLine(Struct, tag="body", forbid_unknown_fields=True):
    """The compressed records of the copies in the next lines; bytes are base64 in JSON."""

    sha256: Sha256
    packed: bytes


class CopyLine(Struct, tag="frozen copy", forbid_unknown_fields=True, omit_defaults=True):
    """All fields of a frozen copy; the last two are left out where they are empty, as in files of earlier versions."""

    id: Annotated[str, Meta(pattern=rf"\A[{ALPHABET}]{{{ID_LENGTH}}}\Z")]
    title: Title
    reason: Note
    kind: Literal["tags", "series", "list"]
    target: Target
    person: PersonName
    audience: Audience
    created: Moment
    changed: Moment
    expires: Moment | None
    withdrawn: Moment | None
    withdrawn_by: Annotated[str, Meta(max_length=MAX_PERSON)]
    withdrawn_reason: Note
    service: str
    realtime_start: date
    realtime_end: date
    fetched: Moment
    series: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None
    warnings: str
    missing: str
    is_complete: bool
    form: Annotated[int, Meta(ge=1, le=2**15 - 1)]
    rows: Count
    sha256: Sha256
    view_rows: Count
    view_sha256: Sha256
    # The digest again, or none where the content is not here.
    body_id: Sha256 | None
    is_sample: bool = False
    owner_name: Annotated[str, Meta(max_length=MAX_OWNER_NAME)] = ""


class ViewLine(Struct, tag="saved view", forbid_unknown_fields=True):
    """All fields of a saved view."""

    slug: Annotated[str, Meta(pattern=r"\A[-a-zA-Z0-9_]{1,60}\Z")]
    title: Title
    note: Note
    kind: Literal["tags", "series", "list", "compare"]
    target: Target
    person: PersonName
    audience: Audience
    is_pinned: bool
    created: Moment
    changed: Moment
    opened: date | None
    removed: Moment | None


Line = Head | BodyLine | CopyLine | ViewLine | End


def to_line(thing: Body | FrozenCopy | SavedView) -> BodyLine | CopyLine | ViewLine:
    if isinstance(thing, Body):
        return BodyLine(thing.sha256, bytes(thing.packed))
    if isinstance(thing, FrozenCopy):
        return msgspec.convert(thing, CopyLine, from_attributes=True)
    return msgspec.convert(thing, ViewLine, from_attributes=True)


def find_wrong_field(row: FrozenCopy | SavedView) -> str:
    """Return in words which field no line can have; an empty text where there is none."""
    try:
        to_line(row)
    except msgspec.ValidationError as error:
        wrong, _, field = str(error).partition(" - at `$.")
        return f"Its field {field.rstrip('`')} is invalid. {wrong}."
    return ""


def to_row(line: CopyLine | ViewLine) -> FrozenCopy | SavedView:
    fields: dict[str, Any] = msgspec.structs.asdict(line)
    return FrozenCopy(**fields) if isinstance(line, CopyLine) else SavedView(**fields)


def tag_of(line: Line) -> str:
    return str(line.__struct_config__.tag)


class LineSum:
    """The number and the digest of the lines so far."""

    def __init__(self) -> None:
        self._lines, self._digest = 0, hashlib.sha256()

    def add(self, line: bytes) -> bytes:
        self._lines += 1
        self._digest.update(line)
        return line

    def end(self) -> End:
        return End(self._lines, self._digest.hexdigest())
