"""Find words in a few records that are in memory, where a service's titles may not be stored."""

from collections.abc import Iterable, Sequence

from econweb.search_index.titles.interpret import phrases
from econweb.search_index.titles.places import Record, place_of
from econweb.search_index.titles.words import MAX_WORDS, folded_words, wanted_words

# Ten microseconds each.
MAX_RECORDS = 1000


def find_in(records: Sequence[Record], text: str) -> dict[int, Record]:
    """Return the records in whose titles each word of the text, or what it means, begins a word; best first."""
    words = wanted_words(folded_words(text, MAX_WORDS))
    found = {place_of(one, at): one for at, one in enumerate(records[-MAX_RECORDS:]) if _has(one, text, words)}
    return dict(sorted(found.items()))


def _has(record: Record, text: str, words: Sequence[str]) -> bool:
    if record.series_id == text.strip().upper():
        return True
    own = folded_words(record.title)
    return bool(words) and all(any(_begins(own, phrase) for phrase in group) for group in phrases(words))


def _begins(own: Sequence[str], phrase: Iterable[str]) -> bool:
    return all(any(one.startswith(word) for one in own) for word in phrase)
