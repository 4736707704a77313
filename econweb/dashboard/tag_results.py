"""What stands around the rows of a tag page: chips, heads of columns, the pager, words for each state."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from econweb.dashboard import groups
from econweb.dashboard.profile import Picture, Profile, profile_of
from econweb.dashboard.rows import rows
from econweb.dashboard.sources import Source
from econweb.upstream.queries import CONTRACT_GROUPS, ORDER_BYS, TagQuery
from econweb.upstream.records import TagPage

COLUMNS = {
    "name": "Tag",
    "group_id": "Group",
    "series_count": "Series",
    "popularity": "Popularity",
    "created": "Created",
}
DIRECTIONS = {"asc": "ascending", "desc": "descending"}
SIZES = (25, 50, 100, 250, 1000)


@dataclass(frozen=True)
class Chip:
    """A link that sets a filter or drops one; the count is None where it would have to be asked for."""

    key: str
    name: str
    link: str
    count: int | None = 0
    current: bool = False


@dataclass(frozen=True)
class Head:
    """A head of the table."""

    key: str
    name: str
    link: str
    sorted: str
    next: str
    kind: str = ""


@dataclass(frozen=True)
class TagResults:
    """One answer of the service module with the links that lead on from it."""

    source: Source
    query: TagQuery
    page: TagPage

    @cached_property
    def profile(self) -> Profile:
        return profile_of(self.page.matches, self.page.series)

    def rows(self) -> SafeString:
        return rows(self.page.tags, self.profile.most_series)

    def pictures(self) -> Iterator[tuple[Picture, str]]:
        """Each with the link to the view that it shows."""
        for picture in self.profile.pictures:
            yield picture, self.source.link(self.query.replace(**picture.leads_to))

    def group_chips(self) -> Iterator[Chip]:
        """The seven of the spec always, any other one when the source has it; none of them ever vanishes."""
        always = [*CONTRACT_GROUPS, *self.source.hidden_groups(self.query)]
        counts = dict.fromkeys(always, 0) | self.page.group_counts
        if self.query.tag_group_id:
            counts.setdefault(self.query.tag_group_id, 0)
        for group, count in counts.items():
            current = group == self.query.tag_group_id
            query = self.query.replace(tag_group_id="" if current else group)
            yield Chip(group, groups.name_of(group), self.source.link(query), count, current)

    def every_group(self) -> Chip:
        link = self.source.link(self.query.replace(tag_group_id=""))
        return Chip("", "All", link, sum(self.page.group_counts.values()), not self.query.tag_group_id)

    def filter_chips(self) -> Iterator[Chip]:
        """What narrows the view, each with the link that drops it."""
        if self.query.search_text:
            link = self.source.link(self.query.replace(search_text=""))
            yield Chip("search_text", f"words: {self.query.search_text}", link)
        if self.query.tag_group_id:
            link = self.source.link(self.query.replace(tag_group_id=""))
            yield Chip("tag_group_id", f"group: {groups.name_of(self.query.tag_group_id)}", link)
        for name in self.query.tag_names:
            yield Chip("tag_names", name, self.source.link(self.query.without_name(name)))

    @cached_property
    def filters(self) -> int:
        return len(self.query.tag_names) + bool(self.query.search_text) + bool(self.query.tag_group_id)

    def unfiltered(self) -> str:
        return self.source.link(self.query.without_filters())

    def columns(self) -> Iterator[Head]:
        for key, name in COLUMNS.items():
            following = self.query.ordered(key)
            yield Head(
                key,
                name,
                self.source.link(following),
                DIRECTIONS[self.query.sort_order] if key == self.query.order_by else "",
                DIRECTIONS[following.sort_order],
            )

    def drops(self) -> list[Chip]:
        """When nothing matches: which filter hides how much. None is offered that leads to nothing again."""
        drops = list(self._drops())
        if len(drops) > 1:
            query = self.query.without_filters()
            count = self.source.count_without_words(query) if self.query.search_text else self.page.all
            drops.append(Chip("", "every filter", self.unfiltered(), count))
        return [drop for drop in drops if drop.count != 0]

    def _drops(self) -> Iterator[Chip]:
        query, page = self.query, self.page
        if group := query.tag_group_id:
            link = self.source.link(query.replace(tag_group_id=""))
            yield Chip("tag_group_id", f"the group {groups.name_of(group)}", link, self.every_group().count)
        if query.tag_names:
            link = self.source.link(query.replace(tag_names=()))
            count = page.all_group_counts.get(group, 0) if group else page.all
            yield Chip("tag_names", "the tag names", link, count)
        if query.search_text:
            link = self.source.link(query.replace(search_text=""))
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

    def pages(self) -> Iterator[tuple[str, str, str]]:
        """Relation (RFC 8288), words and link of each step; a step that leads nowhere has no link."""
        last, previous = self.query.page(self.last_number), self.query.previous_page()
        if previous and not self.page.tags:
            # Before a page past the end there may be another one past the end.
            previous = last
        steps = (
            ("first", "First", self.query.page(1) if self.query.offset else None),
            ("prev", "Previous", previous),
            ("next", "Next", self.query.next_page(self.page.count)),
            ("last", "Last", last if last.offset != self.query.offset else None),
        )
        for key, words, query in steps:
            yield key, words, self.source.link(query) if query else ""

    def last_page(self) -> str:
        return self.source.link(self.query.page(self.last_number))

    def sizes(self) -> list[int]:
        return sorted({*SIZES, self.query.limit})

    def order(self) -> str:
        return f"by {COLUMNS[self.query.order_by].lower()}, {DIRECTIONS[self.query.sort_order]}"

    def orders(self) -> list[tuple[str, str]]:
        return [(key, COLUMNS[key]) for key in ORDER_BYS]

    def missing_names(self) -> list[str]:
        """Wanted names that the source does not have; a search may hide some that it has."""
        if self.query.search_text:
            return []
        return [name for name in self.query.tag_names if name not in self.page.names]

    def title(self) -> str:
        parts = [self.source.name or self.source.title]
        if self.source.name:
            parts.append(self.source.title)
        if self.query.tag_group_id:
            parts.append(groups.name_of(self.query.tag_group_id))
        if self.query.tag_names:
            parts.append(
                ", ".join(self.query.tag_names[:3]) + (" …" if len(self.query.tag_names) > 3 else "")
            )
        if self.query.search_text:
            parts.append(f"“{self.query.search_text}”")
        if self.number > 1:
            parts.append(f"page {self.number}")
        return " · ".join(parts)
