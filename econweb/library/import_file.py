"""Store the library of a file: all of it or nothing."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import IO

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction

from econweb.library.concurrency import take_turns_of_all
from econweb.library.copies import BrokenBody
from econweb.library.file_format import (
    VERSION,
    BodyLine,
    CopyLine,
    End,
    Head,
    Line,
    LineSum,
    ViewLine,
    find_wrong_field,
    tag_of,
    to_line,
    to_row,
)
from econweb.library.freezing import MAX_BODY_BYTES, MEGABYTE, count_bytes
from econweb.library.models import Body, FrozenCopy, SavedView
from econweb.library.verify import LinkReader, check_row
from econweb.redaction import holds_secret

# In base64 a body has a third more bytes.
MAX_LINE_BYTES = 2 * MAX_BODY_BYTES
NO_FILE = "It is not the first line of an exported library."
CUT = "The file ends before its last line, so it is not complete."
CHANGED = "The lines before it are not those that were exported."
NO_CONTENT = "Its content is not in the line before it."
MAY_NOT_STORE = "It has content of the service, which this site may not store. See ECON_MAY_STORE."
MEANWHILE = "Somebody has just saved a view under this name. Import the file again."
# The key of the rows that an import counts and leaves as they are.
HERE_ALREADY = "here already"
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class BadFile(Exception):
    """The file is invalid and nothing was imported; the text says where and why."""


class _BadLine(Exception):
    """The line that was read last is invalid; the text says why."""


def import_from(file: IO[bytes], links: LinkReader) -> Counter[str]:
    """Store all rows, and return the number of each type, and of those that are here already."""
    lines, counts = _Lines(file), Counter[str]()
    try:
        with transaction.atomic():
            store = _Store(links)
            for line in lines:
                is_new = store.add(line)
                counts[tag_of(line)] += is_new
                counts[HERE_ALREADY] += not is_new and not isinstance(line, BodyLine)
    except (_BadLine, BrokenBody) as error:
        raise BadFile(f"Line {lines.number}: {error}") from None
    except IntegrityError:
        # Saving a view does not wait for an import. Adding and removing content do.
        raise BadFile(f"Line {lines.number}: {MEANWHILE}") from None
    return counts


class _Lines:
    """The lines between the first and the last one, which show that the file is whole."""

    def __init__(self, file: IO[bytes]) -> None:
        self.number = 0
        self._file, self._sums = file, LineSum()

    def __iter__(self) -> Iterator[BodyLine | CopyLine | ViewLine]:
        head = self._read()
        if not isinstance(head, Head):
            raise _BadLine(NO_FILE)
        if head.version != VERSION:
            raise _BadLine(f"The file has version {head.version}. This program reads version {VERSION}.")
        while not isinstance(line := self._read(), End):
            if isinstance(line, Head):
                raise _BadLine("It is the first line again.")
            yield line
        if line != self._sums.end():
            raise _BadLine(CHANGED)
        if self._file.read(1):
            self.number += 1
            raise _BadLine("It comes after the last line.")

    def _read(self) -> Line:
        self.number += 1
        text = self._file.readline(MAX_LINE_BYTES + 1)
        if not text:
            raise _BadLine(CUT)
        if len(text) > MAX_LINE_BYTES:
            raise _BadLine(f"It has more than {MAX_LINE_BYTES:,} bytes.")
        try:
            line = _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _BadLine(f"{error}." if self.number > 1 else NO_FILE) from None
        if not isinstance(line, End):
            self._sums.add(text)
        return line


class _Store:
    """Store one line after another, in the transaction of the caller."""

    def __init__(self, links: LinkReader) -> None:
        self._links = links
        # The content of the copies in the next lines. It is stored with the first of them.
        self._body: Body | None = None
        take_turns_of_all()
        self._used = count_bytes()

    def add(self, line: BodyLine | CopyLine | ViewLine) -> bool:
        """Store a row and return True, or return False if it is here already; raise _BadLine if it is invalid."""
        if isinstance(line, BodyLine):
            self._body = Body(sha256=line.sha256, packed=line.packed, size=len(line.packed))
            return False
        row = to_row(line)
        _check_values(line)
        if isinstance(row, FrozenCopy):
            self._add_content(row)
        check_row(row, self._links)
        if stored := type(row).objects.filter(pk=row.pk).first():
            if not _is_same(stored, line):
                raise _BadLine(f"The {tag_of(line)} {row.pk} is here already, with other values.")
            return False
        if isinstance(row, FrozenCopy) and row.body:
            self._store_body(row.body)
        row.save(force_insert=True)
        return True

    def _add_content(self, copy: FrozenCopy) -> None:
        if copy.body_id:
            if self._body is None or self._body.sha256 != copy.body_id:
                raise _BadLine(NO_CONTENT)
            if not settings.ECON_MAY_STORE:
                raise _BadLine(MAY_NOT_STORE)
            copy.body = self._body

    def _store_body(self, body: Body) -> None:
        # Locked: the last copy that has it may expire or be withdrawn now, and take it along.
        if Body.objects.select_for_update().filter(pk=body.pk).first():
            return
        if body.size > MAX_BODY_BYTES:
            raise _BadLine("The content of a copy has more than 1 MiB.")
        self._used += body.size
        if self._used > settings.LIBRARY_MAX_MB * MEGABYTE:
            raise _BadLine(f"The library would have more than {settings.LIBRARY_MAX_MB} MB. See LIBRARY_MAX_MB.")
        body.save(force_insert=True)


def _is_same(stored: FrozenCopy | SavedView, line: CopyLine | ViewLine) -> bool:
    """Return whether a stored row has the values of the line.

    A view may have been opened since, and the site may have emptied an expired copy.
    A file of an earlier version has no name of a category.
    """
    if find_wrong_field(stored):
        return False
    here = to_line(stored)
    if isinstance(here, ViewLine) and isinstance(line, ViewLine):
        here.opened = line.opened
    if isinstance(here, CopyLine) and isinstance(line, CopyLine):
        if not line.owner_name:
            here.owner_name = ""
        if isinstance(stored, FrozenCopy) and stored.is_expired:
            here.body_id = line.body_id
    return here == line


def _check_values(line: CopyLine | ViewLine) -> None:
    for value in msgspec.structs.astuple(line):
        if isinstance(value, datetime) and value.utcoffset():
            raise _BadLine("A moment is not in UTC.")
        if isinstance(value, str) and holds_secret(value):
            raise _BadLine("A text contains an API key or the link of an invitation.")
