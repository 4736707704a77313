"""Descriptions of series side by side: field by field, and their notes word by word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from econweb.dashboard.fields import FIELDS
from econweb.upstream.records import Series

# Beyond this, comparing words would hold up the page; the notes are shown as one change.
MOST_WORDS = 4000


@dataclass(frozen=True)
class Field:
    """One field of spec 2.2, as each of them has it; an absent one is None."""

    name: str
    values: tuple[str | None, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.values)) > 1


@dataclass(frozen=True)
class Piece:
    """Words of the notes: in both, only in the older (`del`), or only in the newer (`ins`)."""

    kind: str
    words: str


def field_by_field(seriess: Sequence[Series]) -> list[Field]:
    return [Field(name, tuple(_text(series, name) for series in seriess)) for name in FIELDS]


def word_by_word(older: str, newer: str) -> list[Piece]:
    """Joined in order, what is not `ins` is the older text, and what is not `del` the newer."""
    if older == newer:
        return [Piece("", older)] if older else []
    before, after = _words(older), _words(newer)
    if max(len(before), len(after)) > MOST_WORDS:
        return [piece for piece in (Piece("del", older), Piece("ins", newer)) if piece.words]
    return [piece for piece in _pieces(before, after) if piece.words]


def _pieces(before: list[str], after: list[str]) -> Iterator[Piece]:
    # Words that come again and again are no place to begin: looking at all of them would take minutes.
    matcher = SequenceMatcher(None, before, after, autojunk=True)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("", "".join(before[i:j]))
        else:
            yield Piece("del", "".join(before[i:j]))
            yield Piece("ins", "".join(after[k:m]))


def _words(text: str) -> list[str]:
    """Blanks go with the word before them, so that nothing of the text is lost."""
    return re.findall(r"\S+\s*|\s+", text)


def _text(series: Series, name: str) -> str | None:
    value = getattr(series, name)
    return None if value is None else str(value)
