"""Parts that all pages of a view share: filters, headers, export links, pictures."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display import groups
from econweb.dashboard.display.controls import DIRECTIONS, Chip, ColumnHeader, render_headers
from econweb.dashboard.display.sorting import largest_tags
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.page_links import with_query
from econweb.dashboard.rendering.jinja import render
from econweb.dashboard.sharing.view_links import Export, ViewLinks
from econweb.dashboard.tags.columns import TAG_COLUMNS, Scale, hidden_classes
from econweb.dashboard.tags.filters import Filter, active_filters
from econweb.dashboard.tags.forms import MAX_ROWS_PER_PAGE
from econweb.dashboard.tags.frequent_tags import render_frequent_tags
from econweb.dashboard.tags.profile import BarChart, Profile, build_profile
from econweb.dashboard.tags.rows import render_rows
from econweb.dashboard.tags.scatter_plot import MAX_INLINE_DOTS
from econweb.dashboard.tags.sharing_links import tag_export, view_links_of
from econweb.dashboard.tags.view_cache import view_cache
from econweb.upstream.queries import CONTRACT_GROUPS, TagQuery
from econweb.upstream.records import Tag, TagPage

# In bytes: larger parts are not cached, since one entry of the cache stands for 32 tags of the set.
MAX_CACHED_PARTS_BYTES = 20_000
# Links of the parts of one view, without those for names and groups.
LINKS_PER_VIEW = 64
PAGE_SIZES = (25, 50, 100, 250, 1000)
TOP_TAGS = 3


@dataclass(frozen=True)
class SharedParts:
    """The parts of one view; its query has no offset, since links of filters and orders lead to the first page."""

    owner: TagOwner
    query: TagQuery
    group_counts: dict[str, int]
    hidden_groups: tuple[str, ...]
    count: int
    # True if this page has as many rows as one page can have.
    has_all_rows: bool
    # Names in the filter that the owner does not have.
    missing: tuple[str, ...]
    scale: Scale
    frequent_tags: SafeString
    # None for a long view: its profile is as large as the table and is loaded when the user scrolls to it.
    profile: Profile | None

    @cached_property
    def filters_html(self) -> SafeString:
        return render("tags/_filters.html", shared=self, owner=self.owner)

    @cached_property
    def headers_html(self) -> SafeString:
        return SafeString(f"<tr>{render_headers(self.columns())}</tr>")

    @property
    def sort_select(self) -> SafeString:
        return _sort_select(self.query.order_by, self.query.sort_order)

    @property
    def limit_select(self) -> SafeString:
        return _limit_select(self.query.limit)

    @cached_property
    def export(self) -> Export:
        return tag_export(self.owner, self.query, self.count, 0 if self.has_all_rows else self.count)

    @cached_property
    def view_links(self) -> ViewLinks:
        return view_links_of(self.owner, self.query, self.export)

    def with_profile(self, page: TagPage, most_dots: int) -> "SharedParts":
        return replace(self, profile=build_profile(page.matches, page.most_series, most_dots))

    @cached_property
    def bar_charts(self) -> list[tuple[BarChart, str]]:
        """Pictures with links to the views that they show."""
        bar_charts = self.profile.bar_charts if self.profile else ()
        return [(chart, self.owner.link(self.query, **chart.leads_to)) for chart in bar_charts]

    def dots_link(self) -> str:
        """Return the link to the view with the same tags by popularity."""
        return self.owner.link(self.query, order_by="popularity", sort_order="desc")

    @cached_property
    def profile_link(self) -> str:
        """Link to the profile, which depends on neither order nor page."""
        query_string = self.query.query_string(
            order_by=TagQuery.order_by, sort_order=TagQuery.sort_order, limit=TagQuery.limit
        )
        return with_query(f"{self.owner.path}profile", query_string)

    @property
    def names_link(self) -> str:
        """Link to the names of all tags of the same period."""
        query = self.query
        whole = TagQuery(realtime_start=query.realtime_start, realtime_end=query.realtime_end)
        return with_query(f"{self.owner.path}names", whole.query_string())

    def group_chips(self) -> Iterator[Chip]:
        """Yield a chip for each group of the contract and of the owner, also for groups without a match."""
        yield self.every_group()
        counts = dict.fromkeys([*CONTRACT_GROUPS, *self.hidden_groups], 0) | self.group_counts
        if self.query.tag_group_id:
            counts.setdefault(self.query.tag_group_id, 0)
        current = self.query.tag_group_id
        for group, count in counts.items():
            link = self.owner.link(self.query, tag_group_id="" if group == current else group)
            yield Chip(groups.badge(group), link, count, group == current)

    def every_group(self) -> Chip:
        link = self.owner.link(self.query, tag_group_id="")
        return Chip("All", link, sum(self.group_counts.values()), not self.query.tag_group_id)

    @cached_property
    def filters(self) -> list[Filter]:
        """Return the filters that can be removed: nobody can remove the words of a frozen search."""
        is_all_here = self.query.search_text == self.owner.searched_text
        return active_filters(self.query.replace(search_text="") if is_all_here else self.query, self.missing)

    def filter_chips(self) -> Iterator[Chip]:
        """Yield the active filters, with links that remove them."""
        for one in self.filters:
            yield Chip(one.label, self.owner.link(self.query, **one.removed), missing=one.missing)

    def unfiltered(self) -> str:
        return self.owner.link(self.query.without_filters())

    def columns(self) -> Iterator[ColumnHeader]:
        query = self.query
        for column in TAG_COLUMNS:
            key, link, ordered, words = column.key, "", "", ""
            if column.orders:
                following = query.next_sort_order(key)
                link = self.owner.link(query, order_by=key, sort_order=following)
                ordered = DIRECTIONS[query.sort_order] if key == query.order_by else ""
                words = column.orders[following]
            yield ColumnHeader(key, column.heading, link, ordered, words, column.css_class, column.title)

    @property
    def hidden_classes(self) -> str:
        return hidden_classes(self.query)

    def across(self) -> int:
        return len(TAG_COLUMNS)


def get_shared_parts(owner: TagOwner, query: TagQuery, page: TagPage) -> SharedParts:
    """Return the parts of the view of `query`, cached as long as the tag set of the page."""
    first, whole = query.replace(offset=0), owner.whole_set(query, page)
    hidden = tuple(whole.group_counts) if whole and whole is not page else ()
    has_all = len(page.tags) >= min(page.count, MAX_ROWS_PER_PAGE)

    def make() -> SharedParts:
        shared = SharedParts(
            owner,
            first,
            page.group_counts,
            hidden,
            page.count,
            has_all,
            missing=missing_names(owner, query, page),
            scale=Scale(whole.most_series, whole.series) if whole else Scale(page.most_series, None),
            frequent_tags=_get_frequent_tags(whole) if whole else SafeString(),
            profile=None,
        )
        return shared.with_profile(page, MAX_INLINE_DOTS) if page.count <= TagQuery.limit else shared

    if not _is_small(first, (*page.all_group_counts, *hidden)):
        return make()
    # Under a search, shares and bars are those of another set, which is fetched at other times.
    return view_cache(page).get("shared parts", (owner, first, whole and whole.freshness.fetched, has_all), make)


def _get_frequent_tags(whole: TagPage) -> SafeString:
    cached = view_cache(whole)
    if cached.frequent_tags is None:
        cached.frequent_tags = render_frequent_tags(whole.all_tags, whole.series)
    return cached.frequent_tags


def missing_names(owner: TagOwner, query: TagQuery, page: TagPage) -> tuple[str, ...]:
    """Return the wanted names that the owner does not have; unknown under a search, which may hide some."""
    may_hide = query.search_text or owner.restriction
    return () if may_hide else tuple(name for name in query.tag_names if name not in page.names)


def _is_small(query: TagQuery, group_ids: Collection[str]) -> bool:
    """Estimate the size: every link repeats all filters, and each name and group has a link of its own."""
    # With one character beyond ASCII, every character of a Python text takes up to four bytes.
    is_ascii = all(map(str.isascii, (*query.tag_names, query.search_text, *group_ids)))
    links = LINKS_PER_VIEW + len(query.tag_names) + len(group_ids)
    characters = links * len(query.query_string()) + 10 * sum(map(len, group_ids))
    return characters * (1 if is_ascii else 4) <= MAX_CACHED_PARTS_BYTES


@lru_cache(maxsize=256)
def _sort_select(order_by: str, sort_order: str) -> SafeString:
    """Render the select, which is the same for every owner."""
    orders = [
        (f"{column.key} {direction}", words, (column.key, direction) == (order_by, sort_order))
        for column in TAG_COLUMNS
        for direction, words in column.orders.items()
    ]
    return render("tags/_sort_select.html", orders=orders)


@lru_cache(maxsize=256)
def _limit_select(limit: int) -> SafeString:
    return render("tags/_limit_select.html", limit=limit, sizes=sorted({*PAGE_SIZES, limit}))


def top_tags(query: TagQuery, page: TagPage) -> tuple[Tag, ...]:
    """Return the largest tags under the filters, whatever the order and page."""
    filters = (query.tag_names, query.tag_group_id)
    return view_cache(page).get("top tags", filters, lambda: tuple(largest_tags(TOP_TAGS, page.matches)))


def get_rows(page: TagPage, scale: Scale) -> SafeString:
    """Render a row once per tag set; a page joins its rows."""
    return render_rows(page.tags, scale, view_cache(page).rows_for(scale))
