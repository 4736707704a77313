"""The list of tags as a table: a page of rows, and what to choose among them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from markupsafe import Markup

from econweb.dashboard.display.controls import DIRECTIONS, Chip, ColumnHeader, number_header
from econweb.dashboard.page_links import tag_link
from econweb.dashboard.paging import Paging
from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.dashboard.tag_list.query import ORDERS, TagListQuery
from econweb.search_index.tags.tag_list import KnownTag, find_tags
from econweb.upstream.queries import group_label, next_sort_order, sort_groups

ROWS_PER_PAGE = 100


@dataclass(frozen=True)
class TagList:
    """The tags of a query; `limit` is the number of rows of the page or file."""

    query: TagListQuery
    limit: int = ROWS_PER_PAGE

    @cached_property
    def _named(self) -> Sequence[KnownTag]:
        return find_tags(self.query.q)

    def is_any_known(self) -> bool:
        return bool(self._named or find_tags(""))

    @cached_property
    def found(self) -> Sequence[KnownTag]:
        query = self.query
        of_group = [tag for tag in self._named if query.tag_group_id in {"", tag.group_id}]
        # Stable, also when reversed: ties stay from A to Z.
        return sorted(
            of_group,
            key=attrgetter("words" if query.order_by == "name" else query.order_by),
            reverse=query.direction == "desc",
        )

    @property
    def total(self) -> int:
        return len(self.found)

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.offset, self.limit)

    def rows(self) -> Sequence[KnownTag]:
        return self.found[self.paging.window]

    def groups(self) -> Iterator[Chip]:
        counts, chosen = Counter(tag.group_id for tag in self._named), self.query.tag_group_id
        names = {group: group_label(group) for group in sort_groups({*counts, chosen} - {""})}
        return self.query.chips("tag_group_id", names, counts)

    def columns(self) -> Iterator[ColumnHeader]:
        query = self.query
        following = next_sort_order(ORDERS["name"], query.direction if query.order_by == "name" else None)
        ordered = DIRECTIONS[query.direction] if query.order_by == "name" else ""
        words = "A to Z" if following == "asc" else "Z to A"
        yield ColumnHeader("name", "Tag", query.link(order_by="name", sort_order=following), ordered, words)
        yield ColumnHeader("group", "Group")
        for key, name in (("occurrence_count", "Occurs in"), ("popularity", "Popularity")):
            yield number_header(key, name, query.direction if key == query.order_by else "", query.link)

    def mark(self, name: str) -> Markup:
        return highlight_matches(name, self.query.q)

    def link_of(self, tag: KnownTag) -> str:
        return tag_link(tag.name)

    def in_words(self) -> str:
        parts = [f"with “{self.query.q}” in the name"] if self.query.q else []
        parts += [f"of the group {group_label(self.query.tag_group_id)}"] if self.query.tag_group_id else []
        return " ".join(parts)
