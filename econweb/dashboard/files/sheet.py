"""A sheet, which is a view for export: named columns, rows and metadata, independent of the file format."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NamedTuple

Value = str | int | float | bool | date | None
Row = Sequence[Value]
Kind = Literal["text", "long", "number"]
# Longer names are cut by some file systems, with the suffix.
MAX_FILE_NAME = 100


class Column(NamedTuple):
    """One column, named as in the contract where the contract has it."""

    name: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Sheet:
    """The content of one file; the rows may be produced while it is sent."""

    name: str
    title: str
    # Source, filters, real-time period and age, for a user who opens the file a year later.
    metadata: Mapping[str, str]
    columns: Sequence[Column]
    rows: Iterable[Row]
    # Names of the list and of one record, and the fields around the list, as in the contract.
    plural: str
    singular: str
    envelope: Mapping[str, Value] = field(default_factory=dict)
    # When each source was fetched. With the fields above, this determines the rows.
    fetched: Sequence[datetime] = ()
    # Fields that a record omits when absent; other absent fields are null.
    optional: frozenset[str] = frozenset()


# Length of the day at the end of a name.
_DAY = 10


def file_name(*words: object) -> str:
    """Return letters, digits and hyphens only: safe in a shell, a header and a file system."""
    joined = "-".join(str(word) for word in words if word)
    # Letter by letter: to put a long run of accents in order takes quadratic time, and they are dropped anyway.
    text = "".join(unicodedata.normalize("NFKD", letter) for letter in joined)
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text.encode("ascii", "ignore").decode())
    plain = plain.strip("-")
    if len(plain) <= MAX_FILE_NAME:
        return plain
    # Keep the day at the end; a digest tells one long filter from another.
    digest = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    end = f"-{digest}-{plain[-_DAY:].lstrip('-')}"
    return plain[: MAX_FILE_NAME - len(end)].rstrip("-") + end


def to_text(value: Value) -> str:
    return "" if value is None else str(value)
