"""`search_text`: every word must begin a word of a tag's name or notes, without regard to case.

Spaces separate the words of a search; no character is an operator. A word of a name or of notes begins after a
space, or where a letter or digit follows another character. `non-f` and `farm` both find `non-farm`, and `(nsa`
and `nsa` both find `(NSA)`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import combining, normalize

# A longer word is found by its first letters. Whole, `a-a-a-…` of n signs would take n²/4 letters.
MAX_LETTERS = 200
MAX_MARKS = 30
_BEGINNING = re.compile(r"^|(?<![^\W_])(?=[^\W_])")


@dataclass(frozen=True)
class WordIndex:
    """Each word in order, and the tags that have it."""

    words: list[str]
    tags: list[frozenset[int]]

    def find(self, search_text: str) -> frozenset[int]:
        # A word that the request repeats a thousand times is looked up once.
        found = [self._beginning_with(word[:MAX_LETTERS]) for word in {*fold(search_text).split()}]
        return frozenset.intersection(*found) if found else frozenset()

    def _beginning_with(self, beginning: str) -> frozenset[int]:
        low = bisect_left(self.words, beginning)
        high = bisect_right(self.words, beginning, low, key=lambda word: word[: len(beginning)])
        return frozenset().union(*self.tags[low:high])


def fold(text: str) -> str:
    return normalize("NFC", normalize("NFC", _limit_marks(text)).casefold())


def _limit_marks(text: str) -> str:
    """Shorten runs of accents: sorting n of them takes n² steps. Unicode's stream-safe text has 30 at most."""
    if text.isascii():
        return text
    letters, run = [], 0
    for letter in text:
        run = run + 1 if combining(letter) else 0
        if run <= MAX_MARKS:
            letters.append(letter)
    return "".join(letters)


def word_index(texts: Iterable[tuple[int, str]]) -> WordIndex:
    tags_of: defaultdict[str, set[int]] = defaultdict(set)
    for number, text in texts:
        for word in words(text):
            tags_of[word].add(number)
    order = sorted(tags_of)
    return WordIndex(order, [frozenset(tags_of[word]) for word in order])


def words(text: str) -> set[str]:
    """Return for each word the text up to the next space, or the longest prefix that a search uses."""
    return {
        part[match.start() : match.start() + MAX_LETTERS]
        for part in fold(text).split()
        for match in _BEGINNING.finditer(part)
    }
