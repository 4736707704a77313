"""One page of a view of tags: rows, links to the other pages, and its state."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard.display import groups
from econweb.dashboard.display.controls import DIRECTIONS, Chip
from econweb.dashboard.realtime import as_of
from econweb.dashboard.sources import TagOwner
from econweb.dashboard.tags.shared_parts import COLUMNS, SharedParts, get_rows, get_shared_parts, top_tags
from econweb.upstream.queries import TagQuery
from econweb.upstream.records import TagPage


@dataclass(frozen=True)
class TagResults:
    """A page of tags with the links that lead on from it."""

    source: TagOwner
    query: TagQuery
    page: TagPage

    @cached_property
    def frame(self) -> SharedParts:
        return get_shared_parts(self.source, self.query, self.page)

    def rows(self) -> SafeString:
        return get_rows(self.page)

    def drops(self) -> list[Chip]:
        """Return links that remove a filter when nothing matches, with counts; none that leads to no tags again."""
        drops = list(self._drops())
        if len(drops) > 1:
            query = self.query.without_filters()
            count = self.source.count_without_words(query) if self.query.search_text else self.page.all
            drops.append(Chip("", "every filter", self.frame.unfiltered(), count))
        return [drop for drop in drops if drop.count != 0]

    def _drops(self) -> Iterator[Chip]:
        query, page = self.query, self.page
        if group := query.tag_group_id:
            link = self.source.link(query, tag_group_id="")
            yield Chip("tag_group_id", f"the group {groups.group_label(group)}", link, self.frame.every_group().count)
        if query.tag_names:
            link = self.source.link(query, tag_names=())
            count = page.all_group_counts.get(group, 0) if group else page.all
            yield Chip("tag_names", "the tag names", link, count)
        if query.search_text:
            link = self.source.link(query, search_text="")
            yield Chip(
                "search_text",
                f"the words “{query.search_text}”",
                link,
                self.source.count_without_words(query),
            )

    @property
    def state(self) -> str:
        if self.page.tags:
            return "rows"
        if self.page.count:
            return "past"
        return "nothing" if self.page.all or self.query.search_text else "empty"

    def span(self) -> str:
        if not self.page.tags:
            return f"none of {self.page.count:,}" if self.page.count else "no tags"
        first = self.query.offset + 1
        return f"{first:,}–{first + len(self.page.tags) - 1:,} of {self.page.count:,}"

    @property
    def number(self) -> int:
        return self.query.page_number

    @property
    def last_number(self) -> int:
        return self.query.page_count(self.page.count)

    @cached_property
    def pages(self) -> tuple[tuple[str, str, str], ...]:
        """Relation (RFC 8288), label and link of each step; a step that leads nowhere has no link."""
        last, previous = self.query.page(self.last_number), self.query.previous_page()
        if previous and not self.page.tags:
            # The page before one past the end may be past the end as well.
            previous = last
        steps = (
            ("first", "First", self.query.page(1) if self.query.offset else None),
            ("prev", "Previous", previous),
            ("next", "Next", self.query.next_page(self.page.count)),
            ("last", "Last", last if last.offset != self.query.offset else None),
        )
        return tuple((key, words, self.source.link(query) if query else "") for key, words, query in steps)

    def last_page(self) -> str:
        return self.source.link(self.query.page(self.last_number))

    def order(self) -> str:
        return f"by {COLUMNS[self.query.order_by].lower()}, {DIRECTIONS[self.query.sort_order]}"

    def missing_names(self) -> list[str]:
        """Return the wanted names that the owner does not have; unknown under a search, which may hide some."""
        if self.query.search_text:
            return []
        return [name for name in self.query.tag_names if name not in self.page.names]

    def in_words(self) -> str:
        """Return one line about the view, for previews of its link."""
        source, page = self.source, self.page
        name = f", {source.name}" if source.name else ""
        period = as_of(page.realtime_start, page.realtime_end)
        tags = "tag" if page.count == 1 else "tags"
        words = f"{page.count:,} {tags} of {source.kind} {source.number}{name}, as of {period}"
        leaders = ", ".join(tag.name for tag in top_tags(self.query, page))
        return f"{words}; top: {leaders}" if leaders else words

    def title(self) -> str:
        parts = [self.source.full_title]
        if self.query.tag_group_id:
            parts.append(groups.group_label(self.query.tag_group_id))
        if self.query.tag_names:
            parts.append(", ".join(self.query.tag_names[:3]) + (" …" if len(self.query.tag_names) > 3 else ""))
        if self.query.search_text:
            parts.append(f"“{self.query.search_text}”")
        if self.number > 1:
            parts.append(f"page {self.number}")
        return " · ".join(parts)
