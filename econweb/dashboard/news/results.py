"""The news of a query: a page of rows, and the kinds to choose among."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, QuerySet

from econweb.accounts.people import Person
from econweb.dashboard.display.controls import Chip, count_chosen
from econweb.dashboard.news.query import NewsQuery
from econweb.dashboard.paging import Paging
from econweb.search_index.titles.source_names import name_sources
from econweb.watching.models import Announcement
from econweb.watching.news import KINDS, NewsItem, find_news, read_items
from econweb.watching.watches import watches_of

ROWS_PER_PAGE = 50


@dataclass(frozen=True)
class NewsList:
    """The news that a page shows: of everything, or of what the person follows."""

    query: NewsQuery
    person: Person | None

    @cached_property
    def _of_every_kind(self) -> QuerySet[Announcement]:
        return find_news(self.query.sources, self.person.name if self.person else None)

    @cached_property
    def counts(self) -> dict[str, int]:
        return dict(self._of_every_kind.order_by().values_list("kind").annotate(Count("pk")))

    @cached_property
    def paging(self) -> Paging:
        return Paging(count_chosen(self.counts, self.query.kind), self.query.offset, ROWS_PER_PAGE)

    @cached_property
    def _page(self) -> QuerySet[Announcement]:
        found = self._of_every_kind.filter(kind=self.query.kind) if self.query.kind else self._of_every_kind
        return found[self.paging.window]

    @cached_property
    def rows(self) -> list[NewsItem]:
        return read_items(self._page, name_sources, self.person.name if self.person else None)

    @cached_property
    def followed(self) -> int:
        """Return the number of views that the person follows; 0 for the news of everything."""
        return watches_of(self.person.name).count() if self.person else 0

    def revision(self) -> object:
        """Return what changes with the rows, their order and the names of all sources on the page."""
        return revision_of(self._page), self.counts, self.source_name

    def kinds(self) -> Iterator[Chip]:
        return self.query.chips("kind", KINDS, self.counts)

    @cached_property
    def source_name(self) -> str:
        sources = self.query.sources
        return name_sources(sources)[sources[0]] if sources else ""


def revision_of(found: QuerySet[Announcement]) -> object:
    """Return what changes with the news, their order and the names of their sources."""
    rows = list(found.values_list("pk", "source__kind", "source__key"))
    return rows, name_sources((kind, key) for _, kind, key in rows)
