"""Cache of the HTML made from one tag set; it lives as long as the set."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from django.utils.safestring import SafeString

from econweb.upstream.records import TagPage

Part = TypeVar("Part")
# The upstream cache weighs a set by its tags, so the number of cached parts follows the number of tags.
TAGS_PER_PART = 32


class ViewCache:
    """Rows by tag, and the least recently used parts of pages by what they depend on."""

    def __init__(self, max_parts: int) -> None:
        # A name and a group identify a tag within its set.
        self._rows: dict[Hashable, dict[tuple[str, str], str]] = {}
        self._parts: LRUCache[Hashable, Any] = LRUCache(max_parts)
        self._lock = Lock()
        # The strip above the table, once a page has needed it.
        self.frequent_tags: SafeString | None = None

    def rows_for(self, scale: Hashable) -> dict[tuple[str, str], str]:
        """Return the rows with bars and shares of this scale; only those of the latest one are kept."""
        if scale not in self._rows:
            self._rows = {scale: {}}
        # Another thread may have put another scale in its place.
        return self._rows.get(scale, {})

    def get(self, kind: str, key: Hashable, make: Callable[[], Part]) -> Part:
        with self._lock:
            cached: Part | None = self._parts.get((kind, key))
        if cached is not None:
            return cached
        made = make()
        with self._lock:
            # Another thread may have been quicker.
            part: Part = self._parts.setdefault((kind, key), made)
        return part


_caches: WeakKeyDictionary[object, ViewCache] = WeakKeyDictionary()


def view_cache(page: TagPage) -> ViewCache:
    cached = _caches.get(page.tag_set)
    return cached or _caches.setdefault(page.tag_set, ViewCache(1 + page.total // TAGS_PER_PART))
