"""Words that differ from another one by a single typing error."""

from collections.abc import Iterator
from string import ascii_lowercase, digits

# A longer text is no word that anybody mistypes.
MAX_WORD_LENGTH = 30


def one_slip_away(word: str, letters: str = ascii_lowercase + digits) -> Iterator[str]:
    """Yield the words that have one letter more, another one, one less, or two of them swapped."""
    if len(word) > MAX_WORD_LENGTH:
        return
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    for head, tail in reversed(parts):
        yield from (head + letter + tail for letter in letters)
    for head, tail in parts[:-1]:
        yield from (head + letter + tail[1:] for letter in letters)
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
