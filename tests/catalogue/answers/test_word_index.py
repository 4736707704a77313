"""The word index: entries of long words, and searches for them."""

import pytest

from econweb.catalogue.answers.search import word_index
from econweb.word_beginnings import MAX_LETTERS, words

# Each letter of these begins a word that reaches to the end of the notes.
LONG_WORDS = {"a-": "a-", "numbers": "{n}-", "dots": "x{n}.", "umlauts": "ä{n}_"}


def letters(pattern: str, count: int) -> int:
    return sum(map(len, words("".join(pattern.format(n=n) for n in range(count)))))


@pytest.mark.parametrize("pattern", LONG_WORDS.values(), ids=LONG_WORDS)
def test_word_index_grows_linearly_with_word_length(pattern: str) -> None:
    """Notes of 40 kB took 390 MB."""
    small, large = letters(pattern, 5_000), letters(pattern, 20_000)

    assert large <= 5 * small
    assert max(map(len, words(pattern.format(n=1) * 20_000))) == MAX_LETTERS


def test_word_index_finds_words_longer_than_its_entries() -> None:
    index = word_index([(1, f"{'a' * 300} b"), (2, "a" * 100)])

    assert index.find("a" * 100) == {1, 2}
    assert index.find("a" * 250) == {1}
    assert index.find("b") == {1}
