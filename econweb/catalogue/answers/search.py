"""The index of all words of the names and notes of tags, for `search_text`."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from econweb.word_beginnings import searched_words, words


@dataclass(frozen=True)
class WordIndex:
    """Each word in order, and the tags that have it."""

    words: list[str]
    tags: list[frozenset[int]]

    def find(self, search_text: str) -> frozenset[int]:
        found = [self._beginning_with(word) for word in searched_words(search_text)]
        return frozenset.intersection(*found) if found else frozenset()

    def _beginning_with(self, beginning: str) -> frozenset[int]:
        low = bisect_left(self.words, beginning)
        high = bisect_right(self.words, beginning, low, key=lambda word: word[: len(beginning)])
        return frozenset().union(*self.tags[low:high])


def word_index(texts: Iterable[tuple[int, str]]) -> WordIndex:
    tags_of: defaultdict[str, set[int]] = defaultdict(set)
    for number, text in texts:
        for word in words(text):
            tags_of[word].add(number)
    order = sorted(tags_of)
    return WordIndex(order, [frozenset(tags_of[word]) for word in order])
