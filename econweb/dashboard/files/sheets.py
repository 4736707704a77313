"""What a file holds, before any format: rows under named columns, and where they come from."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NamedTuple

Value = str | int | float | date | None
Row = Sequence[Value]
Kind = Literal["text", "long", "number"]
# Longer names are cut by some file systems, with the suffix.
LONGEST_NAME = 100


class Column(NamedTuple):
    """A field of the record, by its name in the contract where it has one."""

    name: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Sheet:
    """One file, whatever its format; the rows may come while it is being sent."""

    name: str
    title: str
    # Source, filters, real-time period, age: what a reader has to know a year later.
    facts: Mapping[str, str]
    columns: Sequence[Column]
    rows: Iterable[Row]
    # When each source of the rows was fetched: with all that is above, this determines them.
    fetched: Sequence[datetime]
    # Spec 2.1 and 2.3: the names of the list and of one record, and the fields around the list.
    plural: str
    singular: str
    envelope: Mapping[str, Value] = field(default_factory=dict)
    # Fields that a record leaves out when they are absent (spec 2.2); any other absent one is null.
    optional: frozenset[str] = frozenset()


# As long as a day, which is what a name ends with.
_DAY = 10


def file_name(*words: object) -> str:
    """Plain letters, digits and hyphens, which mean nothing to a shell, a header or a file system."""
    text = unicodedata.normalize("NFKD", "-".join(str(word) for word in words if word))
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text.encode("ascii", "ignore").decode())
    plain = plain.strip("-")
    if len(plain) <= LONGEST_NAME:
        return plain
    # The day at the end must not be lost, and a digest tells one long filter from another.
    mark = hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
    end = f"-{mark}-{plain[-_DAY:].lstrip('-')}"
    return plain[: LONGEST_NAME - len(end)].rstrip("-") + end


def text_of(value: Value) -> str:
    return "" if value is None else str(value)
