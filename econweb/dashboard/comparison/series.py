"""Comparison of series: field by field, and their notes word by word."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from itertools import pairwise

from django.utils.safestring import SafeString

from econweb.dashboard.comparison.sources import ComparedSource
from econweb.dashboard.display.fields import FIELDS
from econweb.dashboard.display.notes import link_urls, notes_text
from econweb.dashboard.error_texts.messages import POPULARITY_OF_THE_FETCH
from econweb.dashboard.realtime import end_or_today
from econweb.dashboard.series.versions import note_on_coverage
from econweb.upstream.records import Series, SeriesPage

# They say which version of which series it is: that was asked for, and is no difference of the records.
_IDENTITY = {"id", "realtime_start", "realtime_end"}
# Comparing more words would take too long; longer notes are shown as one change.
MAX_DIFF_WORDS = 4000


@dataclass(frozen=True)
class Field:
    """One field with the value of each series; None where it is absent."""

    name: str
    values: tuple[str | None, ...]

    @property
    def is_different(self) -> bool:
        return len(set(self.values)) > 1

    @property
    def is_marked(self) -> bool:
        return self.is_different and self.name not in _IDENTITY

    @property
    def differs(self) -> str:
        """Return the word of files; those with “yes” are the ones that the page counts."""
        return "yes" if self.is_marked else "as asked" if self.is_different else "no"


@dataclass(frozen=True)
class DiffSegment:
    """Words of the notes that are in both texts, only in the older (`del`) or only in the newer (`ins`)."""

    kind: str
    words: str

    @property
    def html(self) -> SafeString:
        return link_urls(self.words)


def compare_fields(seriess: Sequence[Series]) -> list[Field]:
    return [Field(name, tuple(_format_field(series, name) for series in seriess)) for name in FIELDS]


def note_on_days(pages: Mapping[str, SeriesPage]) -> list[str]:
    """Return the note on coverage of each past day."""
    replies = [page.reply for page in pages.values()]
    return note_days((reply.seriess[-1:], end_or_today(reply.realtime_start, reply.realtime_end)) for reply in replies)


def note_days(found: Iterable[tuple[Iterable[Series], date]]) -> list[str]:
    """Return the note on coverage of each past day; the series of a day come with it."""
    notes = (note_on_coverage(seriess, day) for seriess, day in found)
    return list(dict.fromkeys(filter(None, notes)))


def note_on_popularity(sources: Iterable[ComparedSource]) -> list[str]:
    """Return the note on popularity, where one of the sources is of a past day."""
    return [POPULARITY_OF_THE_FETCH] if any(source.is_past for source in sources) else []


@dataclass(frozen=True)
class NotesChange:
    """The notes of two neighbouring sources, by their names."""

    before: str
    after: str
    segments: tuple[DiffSegment, ...]

    @property
    def is_change(self) -> bool:
        return any(segment.kind for segment in self.segments)


def compare_notes(series: Sequence[tuple[str, Series]]) -> list[NotesChange]:
    """Compare the notes of each source with those of the next one."""
    return [
        NotesChange(before, after, tuple(diff_words(notes_text(older.notes), notes_text(newer.notes))))
        for (before, older), (after, newer) in pairwise(series)
    ]


def diff_words(older: str, newer: str) -> list[DiffSegment]:
    """Return segments: without `ins` they join to the older text, without `del` to the newer."""
    if older == newer:
        return [DiffSegment("", older)] if older else []
    before, after = _split_words(older), _split_words(newer)
    if max(len(before), len(after)) > MAX_DIFF_WORDS:
        return [piece for piece in (DiffSegment("del", older), DiffSegment("ins", newer)) if piece.words]
    return [piece for piece in _find_segments(before, after) if piece.words]


def _find_segments(before: list[str], after: list[str]) -> Iterator[DiffSegment]:
    # Without autojunk, frequent words would make this take minutes.
    matcher = SequenceMatcher(None, before, after, autojunk=True)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            yield DiffSegment("", "".join(before[i:j]))
        else:
            yield DiffSegment("del", "".join(before[i:j]))
            yield DiffSegment("ins", "".join(after[k:m]))


def _split_words(text: str) -> list[str]:
    """Split into words, each with the blanks after it."""
    return re.findall(r"\S+\s*|\s+", text)


def _format_field(series: Series, name: str) -> str | None:
    value = getattr(series, name)
    return None if value is None else str(value)
