"""`search_text`: every word must begin a word of a tag's name or notes, without regard to case.

A word of a search is what stands between blanks; no sign in it has a meaning of its own. A word of a name or
of notes begins behind a blank, and also where a letter or digit follows another sign: `non-farm` is found by
`non-f` and by `farm`, `(NSA)` by `(nsa` and by `nsa`.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

_BEGINNING = re.compile(r"^|(?<![^\W_])(?=[^\W_])")


@dataclass(frozen=True)
class WordIndex:
    """Each word in order, and the tags that have it."""

    words: list[str]
    tags: list[frozenset[int]]

    def find(self, search_text: str) -> frozenset[int]:
        # A word that is asked for a thousand times costs no more than once.
        found = [self._beginning_with(word) for word in {*folded(search_text).split()}]
        return frozenset.intersection(*found) if found else frozenset()

    def _beginning_with(self, beginning: str) -> frozenset[int]:
        low = bisect_left(self.words, beginning)
        high = bisect_right(self.words, beginning, low, key=lambda word: word[: len(beginning)])
        return frozenset().union(*self.tags[low:high])


def folded(text: str) -> str:
    return normalize("NFC", normalize("NFC", text).casefold())


def word_index(texts: Iterable[tuple[int, str]]) -> WordIndex:
    tags_of: defaultdict[str, set[int]] = defaultdict(set)
    for number, text in texts:
        for word in words(text):
            tags_of[word].add(number)
    order = sorted(tags_of)
    return WordIndex(order, [frozenset(tags_of[word]) for word in order])


def words(text: str) -> set[str]:
    """From each beginning to the next blank."""
    return {part[match.start() :] for part in folded(text).split() for match in _BEGINNING.finditer(part)}
