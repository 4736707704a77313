"""The overview as a table: a page of rows, and what to choose among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from econweb.dashboard.display.controls import Chip, ColumnHeader, count_chosen
from econweb.dashboard.lookup.tag_owners import HEADINGS, TagOwner, get_owner
from econweb.dashboard.overview.query import OverviewQuery
from econweb.dashboard.paging import Paging
from econweb.search_index.models import TaggedOwner
from econweb.search_index.tags.blocks import WHOLE_OF_OWNER
from econweb.search_index.tags.owners import SHARES, count_owners, find_owners, has_shares

ROWS_PER_PAGE = 100
_NAMES = {"tag_count": "Tags", "series_count": "Series"} | {name: name.capitalize() for name in SHARES}
_LONG_NAMES = {"adjusted": "Seasonally adjusted"}


@dataclass(frozen=True)
class Row:
    """One category or release with its numbers and shares; `series` is None where the service's counts do not agree.

    Shares are None where it has no series.
    """

    owner: TagOwner
    tags: int
    series: int | None
    shares: tuple[float | None, ...]


@dataclass(frozen=True)
class Overview:
    """The rows of a query; `limit` is the number of rows of the page or file."""

    query: OverviewQuery
    limit: int = ROWS_PER_PAGE

    @cached_property
    def counts(self) -> dict[str, int]:
        return count_owners()

    @property
    def total(self) -> int:
        return count_chosen(self.counts, self.query.kind)

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.offset, self.limit)

    def rows(self) -> Iterator[Row]:
        query = self.query
        return map(_row, find_owners(query.kind, query.order_by, query.sort_order, self.paging.window))

    def kinds(self) -> Iterator[Chip]:
        return self.query.chips("kind", HEADINGS, self.counts)

    def columns(self) -> Iterator[ColumnHeader]:
        return self.query.columns(_NAMES, _LONG_NAMES)


def _row(found: TaggedOwner) -> Row:
    shares = tuple(getattr(found, name) / WHOLE_OF_OWNER if has_shares(found) else None for name in SHARES)
    return Row(get_owner(found.kind, found.number), found.tags, found.series, shares)
