"""Marks in a name where the words of a search match."""

import re

from markupsafe import Markup, escape

from econweb.label_book.folding import fold, searched_words


def highlight_matches(name: str, text: str) -> Markup:
    """Mark the beginning of each word of the name that a word of the text begins."""
    words = sorted(searched_words(text), key=len, reverse=True)
    parts, end = [], 0
    for found in re.finditer(r"\w+", name):
        if size := _matching_length(found[0], words):
            start = found.start()
            parts += [escape(name[end:start]), "<mark>", escape(name[start : start + size]), "</mark>"]
            end = start + size
    # Every part is escaped. A page of results has 500 of them, and joins of Markup take three times as long.
    return Markup("".join([*parts, escape(name[end:])]))  # noqa: S704


def _matching_length(word: str, beginnings: list[str]) -> int:
    """Return the number of letters of the word that match; folding may change how many there are."""
    bare = fold(word).strip()
    for beginning in beginnings:
        if bare.startswith(beginning):
            sizes = range(1, len(word) + 1)
            return next((size for size in sizes if len(fold(word[:size]).strip()) >= len(beginning)), len(word))
    return 0
