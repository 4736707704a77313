"""Orders of rows and tags."""

from collections.abc import Callable, Iterable
from heapq import nsmallest
from operator import itemgetter
from typing import Any, TypeVar

from econweb.upstream.records import Tag

Item = TypeVar("Item")


def sort_none_last(items: Iterable[Item], key: Callable[[Item], Any], is_descending: bool) -> list[Item]:
    """Sort by the key; items without a value come last in either direction, and ties keep their order."""
    keyed = [(key(item), item) for item in items]
    known = sorted((pair for pair in keyed if pair[0] is not None), key=itemgetter(0), reverse=is_descending)
    return [item for _, item in known] + [item for value, item in keyed if value is None]


def largest_tags(most: int, tags: Iterable[Tag]) -> list[Tag]:
    """Return the tags with the most series; ties go by name."""
    return nsmallest(most, tags, key=lambda tag: (-tag.series_count, tag.name))
