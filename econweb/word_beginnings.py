"""The rule of `search_text`: each word must begin a word of the text, without regard to case.

Spaces separate the words of a search; no character is an operator. A word of a text begins after a space, or where
a letter or digit follows another character. `non-f` and `farm` both find `non-farm`, and `(nsa` and `nsa` both
find `(NSA)`.
"""

import re
from collections.abc import Collection
from unicodedata import combining, normalize

# A longer word is found by its first letters. Whole, `a-a-a-…` of n signs would take n²/4 letters.
MAX_LETTERS = 200
MAX_MARKS = 30
_BEGINNING = re.compile(r"^|(?<![^\W_])(?=[^\W_])")


def searched_words(search_text: str) -> set[str]:
    """Return the words of a search; one that is repeated a thousand times is looked up once."""
    return {word[:MAX_LETTERS] for word in fold(search_text).split()}


def begins_words(searched: Collection[str], text: str) -> bool:
    """Return whether each of the searched words begins a word of the text."""
    folded = f" {fold(text)}"
    return all(_begins_word(beginning, folded) for beginning in searched)


def _begins_word(beginning: str, folded: str) -> bool:
    start = folded.find(beginning)
    while start > 0:
        before = folded[start - 1]
        if before.isspace() or (folded[start].isalnum() and not before.isalnum()):
            return True
        start = folded.find(beginning, start + 1)
    return False


def words(text: str) -> set[str]:
    """Return for each word the text up to the next space, or the longest prefix that a search uses."""
    return {
        part[match.start() : match.start() + MAX_LETTERS]
        for part in fold(text).split()
        for match in _BEGINNING.finditer(part)
    }


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
