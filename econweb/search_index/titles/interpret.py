"""The meaning of the words of a search: their forms, synonyms and spelling."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from econweb.label_book.folding import forms_of
from econweb.label_book.spelling import one_slip_away
from econweb.search_index.titles import title_index
from econweb.search_index.titles.words import (
    ABBREVIATIONS,
    MAX_PHRASE,
    MAX_WORDS,
    MEANINGS,
    drop_optional_words,
    fold_words,
    meanings_of,
)

# Words that the last word of a search may begin.
MAX_COMPLETIONS = 40
# Letters of an abbreviation that stand for it.
MIN_ABBREVIATION = 2
# Misspelt words that are corrected: each is compared with hundreds of others.
MAX_CORRECTED = 4
# A shorter word has too many near ones.
MIN_MISSPELT = 5
# Words with the same two first letters that a misspelt one is compared with, and the least likeness by trigrams.
MAX_COMPARED, MIN_LIKENESS = 1000, 0.5
# A letter behind this sign is a whole word, as in S&P.
_JOINED = re.compile(r"&\w\W*$")
Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Interpretation:
    """The groups of alternatives that a result must have, and the words as they are searched."""

    groups: tuple[tuple[Phrase, ...], ...] = ()
    words: tuple[str, ...] = ()
    # True if a word was replaced by a near one.
    is_corrected: bool = False
    # Words that no title has or nearly has.
    unknown: tuple[str, ...] = ()
    # What is searched beside the words themselves, such as “consumer price index” for “inflation”.
    synonyms: tuple[str, ...] = ()


def interpret(text: str) -> Interpretation:
    typed, is_open = fold_words(text, MAX_WORDS), not _JOINED.search(text)
    words = drop_optional_words(typed)
    known = list(_spell(words, is_open))
    unknown = [word for word, meant in zip(words, known, strict=True) if not meant]
    meant = tuple(right or word for word, right in zip(words, known, strict=True))
    groups = list(_groups(meant, is_open))
    synonyms = dict.fromkeys(" ".join(phrase) for _, others in groups for phrase in others)
    alternatives = tuple(tuple(dict.fromkeys([*own, *others])) for own, others in groups)
    return Interpretation(alternatives, meant, list(meant) != words, tuple(unknown), tuple(synonyms))


def find_phrases(words: Sequence[str]) -> Iterator[list[Phrase]]:
    """Yield each phrase that has synonyms, and each other word, with what it may mean."""
    start = 0
    while start < len(words):
        size = next((size for size in range(MAX_PHRASE, 1, -1) if meanings_of(tuple(words[start : start + size]))), 1)
        phrase = tuple(words[start : start + size])
        yield [phrase, *meanings_of(phrase)]
        start += size


def _groups(words: Sequence[str], is_open: bool) -> Iterator[tuple[list[Phrase], list[Phrase]]]:
    """Yield the forms of each phrase, and its synonyms; the last word may be incomplete if `is_open`."""
    left = len(words)
    for phrase, *meanings in find_phrases(words):
        left -= len(phrase)
        own: list[Phrase] = (
            [phrase] if len(phrase) > 1 else [(form,) for form in _forms(phrase[0], is_open and not left)]
        )
        completed = [] if left or not is_open or len(phrase) > 1 else _complete_abbreviations(phrase[0])
        yield own, [*meanings, *completed]


def _complete_abbreviations(word: str) -> list[Phrase]:
    """Return what the abbreviations mean that the last word begins."""
    if len(word) < MIN_ABBREVIATION:
        return []
    return [tuple(long.split()) for short, long in ABBREVIATIONS.items() if short.startswith(word)]


def _forms(word: str, is_last: bool) -> Iterator[str]:
    yield from forms_of(word)
    if is_last:
        yield from title_index.words_beginning_with(word, MAX_COMPLETIONS)


def _spell(words: Sequence[str], is_open: bool) -> Iterator[str]:
    """Yield each word, or a near one that titles have; empty for none."""
    left = MAX_CORRECTED
    for word in words:
        # A word that is repeated at the end may be incomplete each time.
        if _is_known(word, is_last=is_open and word == words[-1]):
            yield word
        elif left and len(word) >= MIN_MISSPELT and word.isalpha():
            left -= 1
            yield _correct(word)
        else:
            yield ""


def _is_known(word: str, is_last: bool) -> bool:
    if meanings_of((word,)) or any(word in phrase for phrase in MEANINGS):
        return True
    return bool(title_index.known_words(forms_of(word)) or (is_last and title_index.words_beginning_with(word, 1)))


def _correct(word: str) -> str:
    slips = title_index.known_words(one_slip_away(word))
    return slips[0] if slips else _most_alike(word)


def _most_alike(word: str) -> str:
    own = _trigrams(word)
    likeness = {other: _likeness(own, other) for other in title_index.words_beginning_with(word[:2], MAX_COMPARED)}
    best = max(likeness, key=likeness.__getitem__, default="")
    return best if best and likeness[best] >= MIN_LIKENESS else ""


def _likeness(own: set[str], other: str) -> float:
    others = _trigrams(other)
    return 2 * len(own & others) / (len(own) + len(others))


def _trigrams(word: str) -> set[str]:
    padded = f"  {word} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
