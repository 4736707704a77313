"""Streaming of a text file; an error while streaming is written into the file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import structlog

from econweb.dashboard.error_texts.messages import FILE_FAILED, FILE_INCOMPLETE
from econweb.dashboard.files.sheet import Row, Sheet
from econweb.upstream.errors import UpstreamError

ROWS_PER_CHUNK = 500
log = structlog.get_logger("econweb.files")


@dataclass(frozen=True)
class TextFormat:
    """The functions of one format: head, row, tail, and the end after an error."""

    head: Callable[[Sheet], str]
    line: Callable[[Sheet], Callable[[Row], str]]
    tail: Callable[[Sheet], str]
    on_error: Callable[[str], str]
    between: str = ""
    # Whether each row is a record of the contract with every field, whatever the view shows.
    has_whole_records: bool = False


def stream(sheet: Sheet, text_format: TextFormat, *, is_part: bool = False) -> Iterator[bytes]:
    """Yield the file in chunks. After an error it ends with a message, and JSON and XML cannot be parsed.

    A part of another file raises the error instead: nobody may read it by itself.
    """
    lines = [text_format.head(sheet)]
    line, between = text_format.line(sheet), ""
    try:
        for row in sheet.rows:
            lines.append(between + line(row))
            between = text_format.between
            if len(lines) >= ROWS_PER_CHUNK:
                yield "".join(lines).encode()
                lines.clear()
        lines.append(text_format.tail(sheet))
    except UpstreamError as error:
        if is_part:
            raise
        lines.append(text_format.on_error(FILE_INCOMPLETE.format(reason=error)))
    except Exception:
        if is_part:
            raise
        # The status is sent already, so only the file itself can report the error.
        log.exception("a file broke off", file=sheet.name)
        lines.append(text_format.on_error(FILE_FAILED))
    yield "".join(lines).encode()
