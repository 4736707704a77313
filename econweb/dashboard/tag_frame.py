"""What stands around the rows of a view, whichever of its pages is shown: made once and kept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar, cast

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard import groups
from econweb.dashboard.controls import DIRECTIONS, Chip, Head, heads
from econweb.dashboard.dots import FEW_DOTS, largest
from econweb.dashboard.forms import MOST_ROWS
from econweb.dashboard.profile import Picture, Profile, profile_of
from econweb.dashboard.provenance import with_words
from econweb.dashboard.rows import rows
from econweb.dashboard.sources import Source
from econweb.dashboard.take_along import Export, export_of_tags
from econweb.dashboard.template_words import html_of
from econweb.upstream.queries import CONTRACT_GROUPS, ORDER_BYS, TagQuery
from econweb.upstream.records import Tag, TagPage

Made = TypeVar("Made")

COLUMNS = {
    "name": "Tag",
    "group_id": "Group",
    "series_count": "Series",
    "popularity": "Popularity",
    "created": "Created",
    "notes": "Notes",
}
# A frame takes the memory of so many tags; the signs of all names of a frame that is kept.
TAGS_OF_A_FRAME, LONGEST_NAMES = 32, 500
SIZES = (25, 50, 100, 250, 1000)
LEADERS = 3


@dataclass(frozen=True)
class TagFrame:
    """Its query has no place in the list: links of a filter or an order lead to the first page."""

    source: Source
    query: TagQuery
    group_counts: dict[str, int]
    hidden_groups: tuple[str, ...]
    count: int
    # Whether this page has all rows that one page can have.
    has_all_rows: bool
    # Where it would weigh as much as the table it is loaded when it is near, from an address of its own.
    profile: Profile | None

    @cached_property
    def filters_shown(self) -> SafeString:
        return html_of("_tag_filters.html", frame=self, source=self.source)

    @cached_property
    def heads_shown(self) -> SafeString:
        return SafeString(f"<tr>{heads(self.columns())}</tr>")

    @property
    def selects_shown(self) -> SafeString:
        return _selects(self.query.order_by, self.query.sort_order, self.query.limit)

    @cached_property
    def export(self) -> Export:
        return export_of_tags(self.source, self.query, 0 if self.has_all_rows else self.count)

    def with_profile(self, page: TagPage, most_dots: int) -> "TagFrame":
        return replace(self, profile=profile_of(page.matches, page.most_series, most_dots))

    @cached_property
    def pictures(self) -> list[tuple[Picture, str]]:
        """Each with the link to the view that it shows."""
        pictures = self.profile.pictures if self.profile else ()
        return [(picture, self.source.link(self.query, **picture.leads_to)) for picture in pictures]

    def dots_link(self) -> str:
        """The view that says the same in a table."""
        return self.source.link(self.query, order_by="popularity", sort_order="desc")

    @cached_property
    def profile_link(self) -> str:
        """Neither an order nor a page changes it."""
        words = self.query.link(
            order_by=TagQuery.order_by, sort_order=TagQuery.sort_order, limit=TagQuery.limit
        )
        return with_words(f"{self.source.path}profile", words)

    def group_chips(self) -> Iterator[Chip]:
        """Every group of the contract, any other one when the source has it; none of them ever vanishes."""
        yield self.every_group()
        counts = dict.fromkeys([*CONTRACT_GROUPS, *self.hidden_groups], 0) | self.group_counts
        if self.query.tag_group_id:
            counts.setdefault(self.query.tag_group_id, 0)
        current = self.query.tag_group_id
        links = self.source.links(
            self.query, "tag_group_id", ("" if group == current else group for group in counts)
        )
        for (group, count), link in zip(counts.items(), links, strict=True):
            yield Chip(group, groups.badge(group), link, count, group == current)

    def every_group(self) -> Chip:
        link = self.source.link(self.query, tag_group_id="")
        return Chip("", "All", link, sum(self.group_counts.values()), not self.query.tag_group_id)

    def filter_chips(self) -> Iterator[Chip]:
        """What narrows the view, each with the link that drops it."""
        if self.query.search_text:
            link = self.source.link(self.query, search_text="")
            yield Chip("search_text", f"words: {self.query.search_text}", link)
        if self.query.tag_group_id:
            link = self.source.link(self.query, tag_group_id="")
            yield Chip("tag_group_id", f"group: {groups.name_of(self.query.tag_group_id)}", link)
        links = self.source.links(self.query, "tag_names", self.query.names_without_one())
        for name, link in zip(self.query.tag_names, links, strict=True):
            yield Chip("tag_names", name, link)

    @property
    def filters(self) -> int:
        return len(self.query.tag_names) + bool(self.query.search_text) + bool(self.query.tag_group_id)

    def unfiltered(self) -> str:
        return self.source.link(self.query.without_filters())

    def columns(self) -> Iterator[Head]:
        for key, name in COLUMNS.items():
            yield self._sorting(key, name) if key in ORDER_BYS else Head(key, name)

    def _sorting(self, key: str, name: str) -> Head:
        following = self.query.next_sort_order(key)
        return Head(
            key,
            name,
            self.source.link(self.query, order_by=key, sort_order=following),
            DIRECTIONS[self.query.sort_order] if key == self.query.order_by else "",
            DIRECTIONS[following],
        )

    def across(self) -> int:
        return len(COLUMNS)


def frame_of(source: Source, query: TagQuery, page: TagPage) -> TagFrame:
    """It is kept beside the set that it is made of, and goes with it."""
    first, hidden = query.replace(offset=0), source.hidden_groups(query)
    has_all = len(page.tags) >= min(page.count, MOST_ROWS)

    def make() -> TagFrame:
        frame = TagFrame(source, first, page.group_counts, hidden, page.count, has_all, profile=None)
        return frame.with_profile(page, FEW_DOTS) if page.count <= TagQuery.limit else frame

    # Every link of the frame says all names, and it has one for each of them.
    if sum(map(len, first.tag_names)) > LONGEST_NAMES:
        return make()
    return _beside(page, (source, first, hidden, has_all), make)


@lru_cache(maxsize=256)
def _selects(order_by: str, sort_order: str, limit: int) -> SafeString:
    """The same for every source."""
    orders = [(key, COLUMNS[key]) for key in ORDER_BYS]
    sizes = sorted({*SIZES, limit})
    return html_of(
        "_tag_selects.html", order_by=order_by, sort_order=sort_order, limit=limit, orders=orders, sizes=sizes
    )


def leaders_of(query: TagQuery, page: TagPage) -> tuple[Tag, ...]:
    """Neither an order nor a page changes them."""
    filters = (query.tag_names, query.tag_group_id)
    return _beside(page, filters, lambda: tuple(largest(LEADERS, page.matches)))


def rows_of(page: TagPage) -> SafeString:
    """What was made of a tag once is kept by its identity, for as long as the set."""
    return rows(page.tags, page.most_series, _beside(page, "rows", dict))


def _beside(page: TagPage, name: object, make: Callable[[], Made]) -> Made:
    # What is used goes to the end of the row: rows and leaders, which many views share, outlive frames.
    kept: Made | None = page.beside.pop(name, None)
    if kept is not None:
        page.beside[name] = kept
        return kept
    made = make()
    # Copied at once, because other threads change it meanwhile.
    for oldest in list(page.beside)[: -_most_beside(page)]:
        page.beside.pop(oldest, None)
    # Another thread may have been quicker.
    return cast(Made, page.beside.setdefault(name, made))


def _most_beside(page: TagPage) -> int:
    """As a set is weighed by its tags, what is kept beside it has to keep to them."""
    return 2 + page.all // TAGS_OF_A_FRAME
