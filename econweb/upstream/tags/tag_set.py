"""The complete tags of one category or release; every filter, order, page and count is computed from them."""

from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TAG_GROUPS, TagQuery, sort_groups
from econweb.upstream.records import FetchedTags, Freshness, Tag, TagPage, parse_timestamp

# Cached views of one set: enough for every order of every known group.
MAX_VIEWS = len(ORDER_BYS) * len(SORT_ORDERS) * (len(TAG_GROUPS) + 1)

# With more groups than this, views of named tags are not cached: each holds a count for every group.
MAX_GROUPS = 100


class TagSet:
    """Fetched tags with the orders, views and counts that were requested so far."""

    def __init__(self, fetched: FetchedTags) -> None:
        self.fetched = fetched
        self.warnings = (*fetched.differences(), *fetched.warnings)
        self.by_name = tuple(sorted(fetched.tags, key=attrgetter("name", "group_id")))
        self.names = tuple(dict.fromkeys(tag.name for tag in self.by_name))
        self.most_series = fetched.series or max((tag.series_count for tag in fetched.tags), default=0)
        self.group_counts = _count_by_group(self.by_name)
        self._orders: dict[tuple[str, str], tuple[Tag, ...]] = {}
        self._views: dict[object, tuple[tuple[Tag, ...], dict[str, int]]] = {}

    def page(self, query: TagQuery, freshness: Freshness) -> TagPage:
        matches, counts = self._get_view(query)
        return TagPage(
            tags=matches[query.offset : query.offset + query.limit],
            matches=matches,
            count=len(matches),
            total=len(self.by_name),
            group_counts=counts,
            all_group_counts=self.group_counts,
            series=self.fetched.series,
            most_series=self.most_series,
            names=self.names,
            all_tags=self.by_name,
            realtime_start=self.fetched.realtime_start,
            realtime_end=self.fetched.realtime_end,
            warnings=self.warnings,
            is_truncated=self.fetched.is_truncated,
            is_doubtful=bool(self.fetched.warnings),
            freshness=freshness,
            tag_set=self,
        )

    def _get_view(self, query: TagQuery) -> tuple[tuple[Tag, ...], dict[str, int]]:
        """Return the tags of the view, and the number of tags of each group without the group filter."""
        filters = (query.order_by, query.sort_order, query.tag_names, query.tag_group_id)
        view = self._views.get(filters)
        if view is None:
            if len(self._views) >= MAX_VIEWS:
                self._views.clear()
            view = self._filter(query)
            # With names, each view has its own counts.
            if not query.tag_names or len(self.group_counts) <= MAX_GROUPS:
                self._views[filters] = view
        return view

    def _filter(self, query: TagQuery) -> tuple[tuple[Tag, ...], dict[str, int]]:
        tags, counts = self.sort(query.order_by, query.sort_order), self.group_counts
        if query.tag_names:
            wanted = frozenset(query.tag_names)
            tags = tuple(tag for tag in tags if tag.name in wanted)
            counts = dict.fromkeys(counts, 0) | _count_by_group(tags)
        if query.tag_group_id:
            tags = tuple(tag for tag in tags if tag.group_id == query.tag_group_id)
        return tags, counts

    def sort(self, order_by: str, sort_order: str) -> tuple[Tag, ...]:
        """Sort the tags; ties are by name in both directions, because a reversed sort keeps the order of equals."""
        order = (order_by, sort_order)
        if order not in self._orders:
            key: Callable[[Tag], Any] = _created if order_by == "created" else attrgetter(order_by)
            self._orders[order] = tuple(sorted(self.by_name, key=key, reverse=sort_order == "desc"))
        return self._orders[order]


def _count_by_group(tags: Sequence[Tag]) -> dict[str, int]:
    counts = Counter(tag.group_id for tag in tags)
    return {group: counts[group] for group in sort_groups(counts)}


def _created(tag: Tag) -> float:
    return parse_timestamp(tag.created)
