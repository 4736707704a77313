"""Marks in a name where the words of a search match."""

import re
from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup, escape

from econweb.label_book.folding import (
    INITIALS_DOT,
    INVISIBLE,
    MAX_SEARCHED_LETTERS,
    fold,
    searched_words,
    singular_of,
)

_WORD = re.compile(rf"(?:\w|{INITIALS_DOT}|{INVISIBLE.pattern})+")


def highlight_matches(name: str, text: str) -> Markup:
    """Mark the beginning of each word of the name that a word of the text begins, and the singular of its words."""
    parts, end = [], 0
    for start, size in _matches(name, text[:MAX_SEARCHED_LETTERS]):
        parts += [escape(name[end:start]), "<mark>", escape(name[start : start + size]), "</mark>"]
        end = start + size
    # Every part is escaped, and joins of Markup take three times as long.
    return Markup("".join([*parts, escape(name[end:])]))  # noqa: S704


def _matches(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where each marked beginning is, and how long."""
    if name.isascii() and "." not in name:
        # Most names are so. To look at each word would take a tenth of the time of a search.
        for found in _beginnings(text).finditer(name):
            yield found.start(), len(found[0])
    elif words := _longest_first(text):
        for found in _WORD.finditer(name):
            if size := _matching_length(found[0], words, _singulars(text)):
                yield found.start(), size


@lru_cache(maxsize=100)
def _beginnings(text: str) -> re.Pattern[str]:
    """Return the pattern of the beginnings that the words of a search mark in a name of ASCII."""
    words = "|".join([*map(re.escape, _longest_first(text)), *(rf"{re.escape(one)}\b" for one in _singulars(text))])
    # Without a word it matches nothing.
    return re.compile(rf"\b(?:{words})" if words else r"(?!)", re.ASCII | re.IGNORECASE)


@lru_cache(maxsize=100)
def _longest_first(text: str) -> tuple[str, ...]:
    """Return the words of a search, which is the same for each row of a page."""
    return tuple(sorted(searched_words(text), key=len, reverse=True))


@lru_cache(maxsize=100)
def _singulars(text: str) -> frozenset[str]:
    return frozenset(singular for word in searched_words(text) if (singular := singular_of(word)) != word)


def _matching_length(word: str, beginnings: tuple[str, ...], wholes: frozenset[str]) -> int:
    """Return the number of letters of the word that match; folding may change how many there are."""
    bare = fold(word).strip()
    if bare in wholes:
        return len(word)
    for beginning in beginnings:
        if bare.startswith(beginning):
            sizes = range(1, len(word) + 1)
            return next((size for size in sizes if len(fold(word[:size]).strip()) >= len(beginning)), len(word))
    return 0
