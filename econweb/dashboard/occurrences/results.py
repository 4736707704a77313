"""The categories and releases that have a tag: a page of rows, and what to choose among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from econweb.dashboard.display.controls import Chip, ColumnHeader, count_chosen
from econweb.dashboard.lookup.tag_owners import HEADINGS, PLURALS, TagOwner, get_owner
from econweb.dashboard.occurrences.query import OccurrenceQuery
from econweb.dashboard.page_links import tag_link, with_query
from econweb.dashboard.paging import Paging
from econweb.search_index.models import IndexedTag
from econweb.search_index.tags.blocks import WHOLE
from econweb.search_index.tags.occurrences import Occurrence, Occurrences, find_occurrences
from econweb.search_index.tags.similar import similarities
from econweb.upstream.queries import TagQuery

ROWS_PER_PAGE = 50
_NAMES = {"series_count": "Series with it", "share": "Share of series"}


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
    """A tag and where it occurs; `limit` is the number of rows of the page or file."""

    query: OccurrenceQuery
    tag: IndexedTag
    limit: int = ROWS_PER_PAGE

    @cached_property
    def found(self) -> Occurrences:
        query = self.query
        wanted = slice(query.offset, query.offset + self.limit)
        return find_occurrences(self.tag, query.kind, query.order_by, query.sort_order, wanted)

    @property
    def counts(self) -> dict[str, int]:
        return self.found.counts

    @property
    def total(self) -> int:
        return count_chosen(self.counts, self.query.kind)

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.offset, self.limit)

    def rows(self) -> Iterator[Row]:
        return map(self._row, self.found.rows)

    @cached_property
    def _only_this_tag(self) -> str:
        return TagQuery(tag_names=(self.tag.name,)).query_string()

    def _row(self, found: Occurrence) -> Row:
        owner = get_owner(found.kind, found.number)
        return Row(owner, with_query(owner.path, self._only_this_tag), found.series_count, found.share / WHOLE)

    def kinds(self) -> Iterator[Chip]:
        return self.query.chips("kind", HEADINGS, self.counts)

    def columns(self) -> Iterator[ColumnHeader]:
        return self.query.columns(_NAMES, {})

    def companions(self) -> list[tuple[str, str]]:
        """Return tags that are spread over categories and releases as this one is, with their pages."""
        return [(name, tag_link(name)) for name in similarities().companions(self.tag.name)]

    def in_words(self) -> str:
        """Return where the tag occurs, such as “12 categories and 1 release”."""
        counts = [(self.counts.get(kind, 0), kind) for kind in PLURALS]
        parts = [f"{number:,} {kind if number == 1 else PLURALS[kind]}" for number, kind in counts if number]
        return " and ".join(parts)
