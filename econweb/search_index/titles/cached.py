"""Find words in a few records that are in memory, where a service's titles may not be stored."""

from collections.abc import Iterable, Sequence

from econweb.search_index.titles.interpret import find_phrases
from econweb.search_index.titles.places import Record, place_of
from econweb.search_index.titles.words import MAX_WORDS, drop_optional_words, fold_words

# Ten microseconds each.
MAX_RECORDS = 1000


def find_in(records: Sequence[Record], text: str) -> dict[int, Record]:
    """Return the records that the text means: an exact id first, then the best.

    Each word, or what it means, begins a word of the title; or the id begins with the text.
    """
    words, series_id = drop_optional_words(fold_words(text, MAX_WORDS)), text.strip().upper()
    found = {
        place_of(one, at): one for at, one in enumerate(records[-MAX_RECORDS:]) if _is_match(one, series_id, words)
    }
    return dict(sorted(found.items(), key=lambda each: (each[1].series_id != series_id, each[0])))


def _is_match(record: Record, series_id: str, words: Sequence[str]) -> bool:
    if series_id and record.series_id.startswith(series_id):
        return True
    own = fold_words(record.title)
    return bool(words) and all(any(_has_phrase(own, phrase) for phrase in group) for group in find_phrases(words))


def _has_phrase(own: Sequence[str], phrase: Iterable[str]) -> bool:
    return all(any(one.startswith(word) for one in own) for word in phrase)
