"""Answers for assistants: a sheet as lines of text that fit the bound of a reply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

import msgspec

from econweb.dashboard.files.sheet import Sheet, Value, to_text

# Bytes of a whole reply.
MAX_REPLY_BYTES = 8000
# Rows of one answer.
ROWS = 50
# Bytes of one value: in a table, of a series that is described alone, of its notes, and among the metadata.
MAX_CELL, MAX_FIELD, MAX_NOTES, MAX_FACT = 200, 1000, 4000, 300
# Bytes of a link, whose filters may be in any script.
MAX_LINK = 3000
# Metadata that an assistant has no use for, or that the end of the answer says.
_LEFT_OUT = {"source", "service"}
_CUT = " …"
_CUT_LINE = "[Cut: an answer has at most 8 kB. The page has the rest.]"


@dataclass(frozen=True)
class Answer:
    """The answer of a tool: what it is about, rows or fields, and a link to the page that has all of it."""

    head: Sequence[str]
    rows: Sequence[str] = ()
    link: str = ""
    # The number of the first row, where the next answer can continue; None where the rows are fields.
    offset: int | None = None
    has_more: bool = False
    is_error: bool = False

    def write(self, most: int) -> str:
        """Return the text; as JSON it takes at most `most` bytes. A link that does not fit is left out."""
        left = most - _size_of([self._continuation(10**9)])
        first, *others = self.head
        head = _fit([clip(first, left), *others], left)
        left -= _size_of(head)
        link = _fit([f"Page: {self.link}"] if self.link else [], left)
        rows = _fit(self.rows, left - _size_of(link))
        is_cut = self.has_more or len(rows) < len(self.rows)
        end = [self._continuation(len(rows))] if is_cut else []
        return "\n".join([*head, *rows, *end, *link])

    def _continuation(self, shown: int) -> str:
        return _CUT_LINE if self.offset is None else f"There are more rows: offset {self.offset + shown} continues."


def describe_record(sheet: Sheet, link: str) -> Answer:
    """Answer with the last row of a sheet, one field a line."""
    *_, row = sheet.rows
    named = zip((column.name for column in sheet.columns), row, strict=True)
    fields = [
        f"{name}: {_one_line(value, MAX_NOTES if name == 'notes' else MAX_FIELD)}"
        for name, value in named
        if value is not None
    ]
    return Answer([*_head(sheet), ""], fields, link)


def list_rows(sheet: Sheet, link: str, offset: int, limit: int = ROWS, more: Sequence[str] = ()) -> Answer:
    """Answer with a page of rows as a table."""
    page = list(islice(sheet.rows, offset, offset + limit + 1))
    rows = [" | ".join(_one_line(value, MAX_CELL) for value in row) for row in page[:limit]]
    columns = " | ".join(column.name for column in sheet.columns) if rows else "No rows."
    more = [_one_line(line, MAX_FACT) for line in more]
    return Answer([*_head(sheet), *more, "", columns], rows, link, offset, len(page) > limit)


def refuse(message: str) -> Answer:
    """Answer with what was wrong, so that the assistant can ask again."""
    return Answer([_one_line(message, MAX_LINK)], is_error=True)


def _head(sheet: Sheet) -> Iterator[str]:
    yield _one_line(sheet.title, MAX_FACT)
    for name, value in sheet.metadata.items():
        if name not in _LEFT_OUT:
            yield f"{name}: {_one_line(value, MAX_FACT)}"


def _one_line(value: Value, most: int) -> str:
    """Return the value without line breaks and control characters, cut to `most` bytes of JSON."""
    # A text may have megabytes, and a character has at least one byte.
    text = to_text(value)[: 2 * most]
    return clip(" ".join("".join(sign if sign.isprintable() else " " for sign in text).split()), most)


def _fit(lines: Sequence[str], most: int) -> list[str]:
    """Return the first lines that together take at most `most` bytes of JSON."""
    ends = accumulate(_size_of([line]) for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= most]


def _size_of(lines: Sequence[str]) -> int:
    """Return the bytes of the lines in a JSON string, each with its line break."""
    return sum(_size(line) + 2 for line in lines)


def clip(text: str, most: int) -> str:
    """Cut the text so that it takes at most `most` bytes of JSON."""
    if _size(text) <= most:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        if _size(text[:middle]) <= most - _size(_CUT):
            low = middle
        else:
            high = middle - 1
    return text[:low] + _CUT


def _size(text: str) -> int:
    """Return the bytes of the text in a JSON string."""
    return len(msgspec.json.encode(text)) - 2
