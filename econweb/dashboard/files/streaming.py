"""A text file in pieces, sent while its rows come; what breaks on the way is told in the file itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import structlog

from econweb.dashboard.files.sheets import Row, Sheet
from econweb.upstream.errors import UpstreamError

ROWS_OF_A_PIECE = 500
log = structlog.get_logger("econweb.files")


@dataclass(frozen=True)
class TextFormat:
    """How one format writes what stands before the rows, a row, what stands after them, and a broken end."""

    head: Callable[[Sheet], str]
    line: Callable[[Sheet], Callable[[Row], str]]
    tail: Callable[[Sheet], str]
    broken: Callable[[str], str]
    between: str = ""
    # Each row is a record of the contract with every field (spec 2.2), whatever columns the view shows.
    whole_records: bool = False


def pieces(sheet: Sheet, text_format: TextFormat) -> Iterator[bytes]:
    """Never a file that is short in silence: a reader sees the words, and a program cannot parse it."""
    lines = [text_format.head(sheet)]
    line, between = text_format.line(sheet), ""
    try:
        for row in sheet.rows:
            lines.append(between + line(row))
            between = text_format.between
            if len(lines) >= ROWS_OF_A_PIECE:
                yield "".join(lines).encode()
                lines.clear()
        lines.append(text_format.tail(sheet))
    except UpstreamError as error:
        lines.append(text_format.broken(f"The file breaks off here. {error}"))
    except Exception:
        # The status is sent already, so the words in the file are all that is left to tell it.
        log.exception("a file broke off", file=sheet.name)
        lines.append(text_format.broken("The file breaks off here: the program that writes it failed."))
    yield "".join(lines).encode()
