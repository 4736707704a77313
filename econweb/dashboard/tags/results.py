"""One page of a view of tags: rows, links to the other pages, and its state."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display.controls import Chip
from econweb.dashboard.lookup.tag_owners import TagOwner
from econweb.dashboard.paging import Paging
from econweb.dashboard.parameter_checks import unknown_group_message
from econweb.dashboard.realtime import as_of, end_or_today
from econweb.dashboard.rendering.filters import first_names, plural
from econweb.dashboard.tags.columns import order_in_words
from econweb.dashboard.tags.shared_parts import SharedParts, get_rows, get_shared_parts, top_tags
from econweb.upstream.queries import TagQuery, group_label
from econweb.upstream.records import TagPage


@dataclass(frozen=True)
class TagResults:
    """A page of tags with the links that lead on from it."""

    owner: TagOwner
    query: TagQuery
    page: TagPage

    @cached_property
    def shared(self) -> SharedParts:
        return get_shared_parts(self.owner, self.query, self.page)

    def rows(self) -> SafeString:
        return get_rows(self.page, self.shared.scale)

    def removable_filters(self) -> list[Chip]:
        """Return links that remove a filter when nothing matches, with counts; none that leads to no tags again."""
        chips = list(self._removable_filters())
        if len(chips) > 1:
            query = self.query.without_filters()
            count = self.owner.count_without_words(query) if self.query.search_text else self.page.total
            chips.append(Chip("Clear all", self.shared.unfiltered(), count))
        return [chip for chip in chips if chip.count != 0]

    def _removable_filters(self) -> Iterator[Chip]:
        query, page = self.query, self.page
        if group := query.tag_group_id:
            link = self.owner.link(query, tag_group_id="")
            yield Chip("Remove the group filter", link, self.shared.every_group().count)
        if query.tag_names:
            link = self.owner.link(query, tag_names=())
            count = page.all_group_counts.get(group, 0) if group else page.total
            yield Chip("Remove the tag filter", link, count)
        if query.search_text and query.search_text != self.owner.searched_text:
            link = self.owner.link(query, search_text="")
            yield Chip(f"Remove “{query.search_text}”", link, self.owner.count_without_words(query))

    def describe_unknown_group(self) -> str:
        """Return the message for an unknown group; a search may hide all tags of a known one, so it has none."""
        may_hide = self.query.search_text or self.owner.restriction
        return "" if may_hide else unknown_group_message(self.query.tag_group_id, self.page.group_counts)

    @property
    def state(self) -> str:
        if self.page.tags:
            return "rows"
        if self.page.count:
            return "past"
        return "nothing" if self.page.total or self.query.search_text or self.owner.restriction else "empty"

    def is_empty_today(self) -> bool:
        return self.state == "empty" and self.period == "today"

    @cached_property
    def range_text(self) -> str:
        return f"{self.paging.range_text()} tag{plural(self.page.count)}"

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.page.count, self.query.offset, self.query.limit)

    @cached_property
    def steps(self) -> tuple[tuple[str, str, str], ...]:
        """Relation (RFC 8288), label and link of each step; a step that leads nowhere has no link."""
        paging, offset = self.paging, self.query.offset
        steps = (
            ("first", "First", 0 if offset else None),
            ("prev", "Previous", paging.previous),
            ("next", "Next", paging.following),
            ("last", "Last", paging.last if paging.last != offset else None),
        )
        return tuple((key, words, "" if at is None else self._link_to(at)) for key, words, at in steps)

    def last_page(self) -> str:
        return self._link_to(self.paging.last)

    def _link_to(self, offset: int) -> str:
        return self.owner.link(self.query, offset=offset)

    def order(self) -> str:
        return order_in_words(self.query.order_by, self.query.sort_order)

    @cached_property
    def last_day(self) -> date:
        return end_or_today(self.page.realtime_start, self.page.realtime_end)

    @property
    def has_contradicting_counts(self) -> bool:
        """Return whether shares are left out because of the counts; a search never has shares of its own."""
        return not self.query.search_text and not self.owner.restriction and self.page.has_contradicting_counts

    @cached_property
    def period(self) -> str:
        """Return the real-time period as the menu says it."""
        query, page = self.query, self.page
        if query.realtime_start is None and query.realtime_end is None:
            return "today"
        return as_of(page.realtime_start, self.last_day)

    def without_dates(self) -> str:
        return self.owner.link(self.query, realtime_start=None, realtime_end=None)

    def in_words(self) -> str:
        """Return one line about the view, for previews of its link."""
        owner, page = self.owner, self.page
        name = f", {owner.name}" if owner.name else ""
        period = as_of(page.realtime_start, page.realtime_end)
        restriction = f", {owner.restriction}" if owner.restriction else ""
        words = (
            f"{page.count:,} tag{plural(page.count)} of {owner.kind} {owner.number}{name}{restriction}, as of {period}"
        )
        leaders = ", ".join(tag.name for tag in top_tags(self.query, page))
        return f"{words}; top: {leaders}" if leaders else words

    def title(self) -> str:
        return title_of(self.owner, self.query, self.paging.number)


def title_of(owner: TagOwner, query: TagQuery, page_number: int = 1) -> str:
    parts = [owner.full_title, *name_filters(query)]
    if query.search_text:
        parts.append(f"“{query.search_text}”")
    if page_number > 1:
        parts.append(f"page {page_number}")
    return " · ".join(parts)


def name_filters(query: TagQuery) -> tuple[str, ...]:
    """Return the names of the group and the tags that the query leaves."""
    group = group_label(query.tag_group_id) if query.tag_group_id else ""
    return tuple(filter(None, (group, first_names(query.tag_names, 3))))
