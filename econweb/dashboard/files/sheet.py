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
    # The heading on the page, for formats that are read and not loaded.
    label: str = ""

    @property
    def heading(self) -> str:
        return self.label or self.name.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Sheet:
    """The content of one file.

    Rows may be produced while it is sent, but not from the database: then the request has no connection of its own.
    """

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
    # When each source was fetched, and the revision of what else the rows show. With the fields above, both
    # determine the rows.
    fetched: Sequence[datetime] = ()
    revision: object = None
    # Fields that a record omits when absent; other absent fields are null.
    optional: frozenset[str] = frozenset()
    # What is printed above a table on paper.
    caption: str = ""
    # False for a CSV file that begins with the names of the columns.
    has_comments: bool = True


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
