"""All tags of the index, in memory until it changes."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Sum

from econweb.label_book.folding import fold, searched_words
from econweb.search_index.models import IndexedTag, OccurrenceBlock
from econweb.search_index.tags.tag_index import State, current_minute, state


class KnownTag(NamedTuple):
    """A tag, the number of categories and releases that have it, and its name as it is searched."""

    name: str
    group_id: str
    occurrence_count: int
    popularity: int
    words: str


def find_tags(text: str) -> Sequence[KnownTag]:
    """Return the tags in whose names each word of the text begins a word, from A to Z."""
    return _with_words(_read_tags(state()), text)


def find_most_used(text: str, limit: int) -> Sequence[KnownTag]:
    """Return tags with each word of the text: those with this whole name, then those that occur in the most places."""
    whole = fold(text)
    # 6,000 tags take 0.1 s to read, and the reader may change the index each second.
    found = _with_words(_most_used_first(current_minute()), text) if whole else []
    return sorted(found, key=lambda tag: tag.words != whole)[:limit]


def _with_words(tags: Sequence[KnownTag], text: str) -> Sequence[KnownTag]:
    for word in searched_words(text):
        beginning = f" {word}"
        tags = [tag for tag in tags if beginning in tag.words]
    return tags


def count_uses(generation: int) -> dict[int, int]:
    """Return for the key of each tag how many categories and releases have it."""
    found = OccurrenceBlock.objects.filter(generation=generation)
    return dict(found.values_list("tag").annotate(Sum("owners")))


@lru_cache(maxsize=1)
def _read_tags(valid: State) -> Sequence[KnownTag]:
    uses = count_uses(valid.generation)
    rows = IndexedTag.objects.values_list("pk", "name", "group_id", "popularity")
    tags = [
        KnownTag(name, group, uses[key], popularity, fold(name)) for key, name, group, popularity in rows if key in uses
    ]
    return sorted(tags, key=lambda tag: (tag.words, tag.name))


@lru_cache(maxsize=1)
def _most_used_first(_minute: int) -> Sequence[KnownTag]:
    return sorted(_read_tags(state()), key=lambda tag: -tag.occurrence_count)
