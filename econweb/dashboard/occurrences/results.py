"""The categories and releases that have a tag: a page of rows, and what to choose among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from econweb.dashboard.display.controls import Chip, ColumnHeader, number_header
from econweb.dashboard.lookup.tag_owners import PLURALS, TagOwner, get_owner, kind_chips
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.dashboard.page_links import tag_link, with_query
from econweb.dashboard.paging import Paging, Step
from econweb.search_index.models import IndexedTag
from econweb.search_index.tags.blocks import WHOLE
from econweb.search_index.tags.occurrences import Occurrence, Occurrences, find_occurrences
from econweb.search_index.tags.similar import similarities
from econweb.upstream.queries import TagQuery

_HEADS = {"series_count": "Series with it", "share": "Share of series"}


@dataclass(frozen=True)
class Row:
    """One category or release that has the tag."""

    owner: TagOwner
    # The tags of the owner, with this one alone.
    link: str
    series_count: int
    share: float


@dataclass(frozen=True)
class TagOccurrences:
    """A tag and where it occurs."""

    query: OccurrenceQuery
    tag: IndexedTag

    @cached_property
    def found(self) -> Occurrences:
        return find_occurrences(self.tag, self.query.selection)

    @property
    def counts(self) -> dict[str, int]:
        return self.found.counts

    @property
    def total(self) -> int:
        return self.counts.get(self.query.selection.kind, 0) if self.query.selection.kind else sum(self.counts.values())

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.selection.offset, self.query.selection.limit)

    def rows(self) -> Iterator[Row]:
        return map(self._row, self.found.rows)

    @cached_property
    def _only_this_tag(self) -> str:
        return TagQuery(tag_names=(self.tag.name,)).query_string()

    def _row(self, found: Occurrence) -> Row:
        owner = get_owner(found.kind, found.number)
        return Row(owner, with_query(owner.path, self._only_this_tag), found.series_count, found.share / WHOLE)

    def kinds(self) -> Iterator[Chip]:
        return kind_chips(self.counts, self.query.selection.kind, self.query.link)

    def columns(self) -> Iterator[ColumnHeader]:
        yield ColumnHeader("owner", "Category or release")
        selection = self.query.selection
        for key, name in _HEADS.items():
            yield number_header(key, name, selection.sort_order if key == selection.order_by else "", self.query.link)

    @cached_property
    def steps(self) -> list[Step]:
        return self.paging.steps(lambda offset: self.query.link(offset=offset))

    def companions(self) -> list[tuple[str, str]]:
        """Return tags that are spread over categories and releases as this one is, with their pages."""
        return [(name, tag_link(name)) for name in similarities().companions(self.tag.name)]

    def in_words(self) -> str:
        """Return where the tag occurs, such as “12 categories and 1 release”."""
        counts = [(self.counts.get(kind, 0), kind) for kind in PLURALS]
        parts = [f"{number:,} {kind if number == 1 else PLURALS[kind]}" for number, kind in counts if number]
        return " and ".join(parts)
