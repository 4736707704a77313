"""Tag sets that are stored elsewhere, such as those of frozen copies: the last few stay in memory."""

from collections.abc import Callable
from threading import Lock

from cachetools import LRUCache

from econweb.upstream.records import FetchedTags
from econweb.upstream.tags.tag_set import TagSet

# In tags, each with ordinary notes.
MAX_TAGS = 20_000
LETTERS_PER_TAG = 300


class StoredSets:
    def __init__(self) -> None:
        self._sets: LRUCache[str, TagSet] = LRUCache(MAX_TAGS, getsizeof=_weigh)
        self._lock = Lock()

    def get(self, key: str, load: Callable[[], FetchedTags]) -> TagSet:
        with self._lock:
            held = self._sets.get(key)
        if held is not None:
            return held
        loaded = TagSet(load())
        with self._lock:
            if _weigh(loaded) <= MAX_TAGS:
                self._sets[key] = loaded
        return loaded


def _weigh(tag_set: TagSet) -> int:
    notes = sum(len(tag.notes or "") for tag in tag_set.by_name)
    return len(tag_set.by_name) + notes // LETTERS_PER_TAG
