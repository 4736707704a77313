"""Marks in a name where the words of a search match."""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from econweb.label_book.folding import MAX_SEARCHED_LETTERS, fold, searched_words


def highlight_matches(name: str, text: str) -> Markup:
    """Mark the beginning of each word of the name that a word of the text begins."""
    words = _longest_first(text[:MAX_SEARCHED_LETTERS])
    parts, end = [], 0
    for found in re.finditer(r"\w+", name):
        if size := _matching_length(found[0], words):
            start = found.start()
            parts += [escape(name[end:start]), "<mark>", escape(name[start : start + size]), "</mark>"]
            end = start + size
    # Every part is escaped. A page of results has 500 of them, and joins of Markup take three times as long.
    return Markup("".join([*parts, escape(name[end:])]))  # noqa: S704


@lru_cache(maxsize=100)
def _longest_first(text: str) -> tuple[str, ...]:
    """Return the words of a search, which is the same for each row of a page."""
    return tuple(sorted(searched_words(text), key=len, reverse=True))


def _matching_length(word: str, beginnings: tuple[str, ...]) -> int:
    """Return the number of letters of the word that match; folding may change how many there are."""
    if word.isascii():
        # Most words are: folding changes their case alone, and to fold each takes a tenth of the time of a search.
        bare = word.lower()
        return next((len(one) for one in beginnings if bare.startswith(one)), 0) if bare.startswith(beginnings) else 0
    bare = fold(word).strip()
    for beginning in beginnings:
        if bare.startswith(beginning):
            sizes = range(1, len(word) + 1)
            return next((size for size in sizes if len(fold(word[:size]).strip()) >= len(beginning)), len(word))
    return 0
