"""The complete tags of one source; every filter, order, page and count is answered from them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from operator import attrgetter
from typing import Any

from msgspec import Struct

from econweb.upstream.queries import ORDER_BYS, SORT_ORDERS, TAG_GROUPS, TagQuery
from econweb.upstream.records import Kept, Tag, TagPage, moment

# Of one set, each with a list of its tags: every order of every known group has a place.
MOST_VIEWS = len(ORDER_BYS) * len(SORT_ORDERS) * (len(TAG_GROUPS) + 1)


class FetchedTags(Struct, frozen=True, array_like=True):
    """What a fetch brought home; this is what is kept."""

    realtime_start: date
    realtime_end: date
    tags: tuple[Tag, ...]
    series: int | None
    warnings: tuple[str, ...]
    cut: bool
    # What the service repeats of the question (spec 4.5): of the first request for which the two differ, else
    # of the last one.
    asked: dict[str, str]
    echoed: dict[str, str]

    def differences(self) -> Iterator[str]:
        for name, echo in self.echoed.items():
            if echo != self.asked[name]:
                yield f"The service was asked for {name} {self.asked[name]} and says that it applied {echo}."


class TagSet:
    """Fetched tags with the orders and counts that were asked of them so far."""

    def __init__(self, fetched: FetchedTags) -> None:
        self.fetched = fetched
        self.warnings = (*fetched.differences(), *fetched.warnings)
        self.by_name = tuple(sorted(fetched.tags, key=attrgetter("name", "group_id")))
        self.names = tuple(dict.fromkeys(tag.name for tag in self.by_name))
        self.most_series = fetched.series or max((tag.series_count for tag in fetched.tags), default=0)
        self.group_counts = _group_counts(self.by_name)
        self._beside: dict[object, Any] = {}
        self._ordered: dict[tuple[str, str], tuple[Tag, ...]] = {}
        self._matched: dict[object, tuple[tuple[Tag, ...], dict[str, int]]] = {}

    def page(self, query: TagQuery, kept: Kept) -> TagPage:
        matches, counts = self._matches(query)
        return TagPage(
            tags=matches[query.offset : query.offset + query.limit],
            matches=matches,
            count=len(matches),
            all=len(self.by_name),
            group_counts=counts,
            all_group_counts=self.group_counts,
            series=self.fetched.series,
            most_series=self.most_series,
            names=self.names,
            realtime_start=self.fetched.realtime_start,
            realtime_end=self.fetched.realtime_end,
            warnings=self.warnings,
            cut=self.fetched.cut,
            kept=kept,
            beside=self._beside,
        )

    def _matches(self, query: TagQuery) -> tuple[tuple[Tag, ...], dict[str, int]]:
        """The tags of the view, and how many of each group it would have without its group."""
        filters = (query.order_by, query.sort_order, query.tag_names, query.tag_group_id)
        matched = self._matched.get(filters)
        if matched is None:
            if len(self._matched) >= MOST_VIEWS:
                self._matched.clear()
            matched = self._matched[filters] = self._filtered(query)
        return matched

    def _filtered(self, query: TagQuery) -> tuple[tuple[Tag, ...], dict[str, int]]:
        tags, counts = self.ordered(query.order_by, query.sort_order), self.group_counts
        if query.tag_names:
            wanted = frozenset(query.tag_names)
            tags = tuple(tag for tag in tags if tag.name in wanted)
            counts = dict.fromkeys(counts, 0) | _group_counts(tags)
        if query.tag_group_id:
            tags = tuple(tag for tag in tags if tag.group_id == query.tag_group_id)
        return tags, counts

    def ordered(self, order_by: str, sort_order: str) -> tuple[Tag, ...]:
        """Ties go by name ascending in both directions: a reversed sort keeps the order of equals."""
        order = (order_by, sort_order)
        if order not in self._ordered:
            key: Callable[[Tag], Any] = _created if order_by == "created" else attrgetter(order_by)
            self._ordered[order] = tuple(sorted(self.by_name, key=key, reverse=sort_order == "desc"))
        return self._ordered[order]


def series_in_all(tags: Sequence[Tag]) -> int | None:
    """A series has one frequency and one adjustment, and no tag more series than there are."""
    sums = [sum(tag.series_count for tag in tags if tag.group_id == group) for group in ("freq", "seas")]
    most = max((tag.series_count for tag in tags), default=0)
    return most if sums == [most, most] else None


def _group_counts(tags: Sequence[Tag]) -> dict[str, int]:
    counts = Counter(tag.group_id for tag in tags)
    known = [group for group in TAG_GROUPS if group in counts]
    return {group: counts[group] for group in known + sorted(counts.keys() - TAG_GROUPS)}


def _created(tag: Tag) -> float:
    return moment(tag.created)
