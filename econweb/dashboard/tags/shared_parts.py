"""Parts that all pages of a view share: filters, headers, export links, pictures."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display import groups
from econweb.dashboard.display.controls import DIRECTIONS, Chip, ColumnHeader, render_headers
from econweb.dashboard.links import with_query
from econweb.dashboard.rendering.jinja import render
from econweb.dashboard.sharing.view_links import Export
from econweb.dashboard.sources import TagOwner
from econweb.dashboard.tags.forms import MAX_ROWS_PER_PAGE
from econweb.dashboard.tags.links import tag_export
from econweb.dashboard.tags.profile import Picture, Profile, build_profile
from econweb.dashboard.tags.rows import render_rows
from econweb.dashboard.tags.scatter_plot import MAX_INLINE_DOTS, largest
from econweb.dashboard.tags.view_cache import view_cache
from econweb.upstream.queries import CONTRACT_GROUPS, ORDER_BYS, TagQuery
from econweb.upstream.records import Tag, TagPage

COLUMNS = {
    "name": "Tag",
    "group_id": "Group",
    "series_count": "Series",
    "popularity": "Popularity",
    "created": "Created",
    "notes": "Notes",
}
# In bytes: larger parts are not cached, since one entry of the cache stands for 32 tags of the set.
MAX_CACHED_PARTS_BYTES = 20_000
# Links of the parts of one view, without those for names and groups.
LINKS_PER_VIEW = 60
PAGE_SIZES = (25, 50, 100, 250, 1000)
TOP_TAGS = 3


@dataclass(frozen=True)
class SharedParts:
    """The parts of one view; its query has no offset, since links of filters and orders lead to the first page."""

    source: TagOwner
    query: TagQuery
    group_counts: dict[str, int]
    hidden_groups: tuple[str, ...]
    count: int
    # True if this page has as many rows as one page can have.
    has_all_rows: bool
    # None for a long view: its profile is as large as the table and is loaded when the user scrolls to it.
    profile: Profile | None

    @cached_property
    def filters_shown(self) -> SafeString:
        return render("tags/_filters.html", frame=self, source=self.source)

    @cached_property
    def heads_shown(self) -> SafeString:
        return SafeString(f"<tr>{render_headers(self.columns())}</tr>")

    @property
    def selects_shown(self) -> SafeString:
        return _selects(self.query.order_by, self.query.sort_order, self.query.limit)

    @cached_property
    def export(self) -> Export:
        return tag_export(self.source, self.query, self.count, 0 if self.has_all_rows else self.count)

    def with_profile(self, page: TagPage, most_dots: int) -> "SharedParts":
        return replace(self, profile=build_profile(page.matches, page.most_series, most_dots))

    @cached_property
    def pictures(self) -> list[tuple[Picture, str]]:
        """Pictures with links to the views that they show."""
        pictures = self.profile.pictures if self.profile else ()
        return [(picture, self.source.link(self.query, **picture.leads_to)) for picture in pictures]

    def dots_link(self) -> str:
        """Return the link to the view with the same tags by popularity."""
        return self.source.link(self.query, order_by="popularity", sort_order="desc")

    @cached_property
    def profile_link(self) -> str:
        """Link to the profile, which depends on neither order nor page."""
        words = self.query.link(order_by=TagQuery.order_by, sort_order=TagQuery.sort_order, limit=TagQuery.limit)
        return with_query(f"{self.source.path}profile", words)

    def group_chips(self) -> Iterator[Chip]:
        """Yield a chip for each group of the contract and of the owner, also for groups without a match."""
        yield self.every_group()
        counts = dict.fromkeys([*CONTRACT_GROUPS, *self.hidden_groups], 0) | self.group_counts
        if self.query.tag_group_id:
            counts.setdefault(self.query.tag_group_id, 0)
        current = self.query.tag_group_id
        links = self.source.links(self.query, "tag_group_id", ("" if group == current else group for group in counts))
        for (group, count), link in zip(counts.items(), links, strict=True):
            yield Chip(group, groups.badge(group), link, count, group == current)

    def every_group(self) -> Chip:
        link = self.source.link(self.query, tag_group_id="")
        return Chip("", "All", link, sum(self.group_counts.values()), not self.query.tag_group_id)

    def filter_chips(self) -> Iterator[Chip]:
        """Yield the active filters, with links that remove them."""
        if self.query.search_text:
            link = self.source.link(self.query, search_text="")
            yield Chip("search_text", f"words: {self.query.search_text}", link)
        if self.query.tag_group_id:
            link = self.source.link(self.query, tag_group_id="")
            yield Chip("tag_group_id", f"group: {groups.group_label(self.query.tag_group_id)}", link)
        links = self.source.links(self.query, "tag_names", self.query.names_without_one())
        for name, link in zip(self.query.tag_names, links, strict=True):
            yield Chip("tag_names", name, link)

    @property
    def filters(self) -> int:
        return len(self.query.tag_names) + bool(self.query.search_text) + bool(self.query.tag_group_id)

    def unfiltered(self) -> str:
        return self.source.link(self.query.without_filters())

    def columns(self) -> Iterator[ColumnHeader]:
        for key, name in COLUMNS.items():
            yield self._sorting(key, name) if key in ORDER_BYS else ColumnHeader(key, name)

    def _sorting(self, key: str, name: str) -> ColumnHeader:
        following = self.query.next_sort_order(key)
        return ColumnHeader(
            key,
            name,
            self.source.link(self.query, order_by=key, sort_order=following),
            DIRECTIONS[self.query.sort_order] if key == self.query.order_by else "",
            DIRECTIONS[following],
        )

    def across(self) -> int:
        return len(COLUMNS)


def get_shared_parts(source: TagOwner, query: TagQuery, page: TagPage) -> SharedParts:
    """Return the parts of the view of `query`, cached as long as the tag set of the page."""
    first, hidden = query.replace(offset=0), source.hidden_groups(query)
    has_all = len(page.tags) >= min(page.count, MAX_ROWS_PER_PAGE)

    def make() -> SharedParts:
        frame = SharedParts(source, first, page.group_counts, hidden, page.count, has_all, profile=None)
        return frame.with_profile(page, MAX_INLINE_DOTS) if page.count <= TagQuery.limit else frame

    if not _is_small(first, (*page.all_group_counts, *hidden)):
        return make()
    return view_cache(page).get((source, first, hidden, has_all), make)


def _is_small(query: TagQuery, group_ids: Collection[str]) -> bool:
    """Estimate the size: every link repeats all filters, and each name and group has a link of its own."""
    # With one character beyond ASCII, every character of a Python text takes up to four bytes.
    is_ascii = all(map(str.isascii, (*query.tag_names, query.search_text, *group_ids)))
    links = LINKS_PER_VIEW + len(query.tag_names) + len(group_ids)
    characters = links * len(query.link()) + 10 * sum(map(len, group_ids))
    return characters * (1 if is_ascii else 4) <= MAX_CACHED_PARTS_BYTES


@lru_cache(maxsize=256)
def _selects(order_by: str, sort_order: str, limit: int) -> SafeString:
    """Render the selects, which are the same for every owner."""
    orders = [(key, COLUMNS[key]) for key in ORDER_BYS]
    sizes = sorted({*PAGE_SIZES, limit})
    return render(
        "tags/_selects.html", order_by=order_by, sort_order=sort_order, limit=limit, orders=orders, sizes=sizes
    )


def top_tags(query: TagQuery, page: TagPage) -> tuple[Tag, ...]:
    """Return the largest tags under the filters, whatever the order and page."""
    filters = (query.tag_names, query.tag_group_id)
    return view_cache(page).get(filters, lambda: tuple(largest(TOP_TAGS, page.matches)))


def get_rows(page: TagPage) -> SafeString:
    """Render a row once per tag set; a page joins its rows."""
    return render_rows(page.tags, page.most_series, view_cache(page).rows)
