"""The series that a search finds: a page of rows, facets with counts, and what was searched."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from markupsafe import Markup

from econweb.dashboard.display.controls import Chip
from econweb.dashboard.lookup.found_series import FoundSeries
from econweb.dashboard.page_links import url_path
from econweb.dashboard.paging import Paging
from econweb.dashboard.parameter_checks import LABELS
from econweb.dashboard.search_box.destination import Destination, label_destination
from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.dashboard.series_search.query import SearchQuery
from econweb.label_book import lookup as labels
from econweb.search_index.titles.find import TitleQuery, count_facets
from econweb.search_index.titles.places import Record
from econweb.upstream.records import is_discontinued

ROWS_PER_PAGE = 50
# Names of categories and releases above the series; the directory has them all.
MAX_NAMES = 4
FACETS = ("frequency", "seasonal_adjustment", "discontinued")
_DISCONTINUED = {"no": "Current", "yes": "Discontinued"}


@dataclass(frozen=True)
class SearchResults:
    """The results of a query; `limit` is the number of rows of the page or file."""

    query: SearchQuery
    limit: int = ROWS_PER_PAGE

    @cached_property
    def found(self) -> FoundSeries:
        query = self.query
        return FoundSeries(
            TitleQuery(
                query.q, query.frequency, query.seasonal_adjustment, query.discontinued, query.offset, self.limit
            )
        )

    @property
    def total(self) -> int:
        return self.found.total

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.offset, self.limit)

    def rows(self) -> Sequence[Record]:
        return self.found.rows()

    @cached_property
    def searched(self) -> str:
        """The words that were searched: corrected ones, or those of the link."""
        return " ".join(self.found.indexed.meaning.words) if self.found.is_corrected else self.query.q

    @property
    def unknown(self) -> Sequence[str]:
        return () if self.found.cached else self.found.indexed.meaning.unknown

    @property
    def synonyms(self) -> Sequence[str]:
        return self.found.indexed.meaning.synonyms

    def fewer_words(self) -> Iterator[tuple[str, FoundSeries]]:
        """Yield the searches with one word less, each with its link."""
        for fewer in self.found.with_fewer_words():
            yield self.query.link(q=fewer.query.text, offset=0), fewer

    def size(self) -> str:
        return self.found.size()

    def in_words(self) -> str:
        filters = [name for name in (self.query.frequency, self.query.seasonal_adjustment) if name]
        filters += [_DISCONTINUED[self.query.discontinued]] if self.query.discontinued else []
        return ", ".join([f"“{self.searched}”", *filters])

    def facets(self) -> Iterator[tuple[str, list[Chip]]]:
        """Yield each facet that tells results apart, with a link for each of its values."""
        cached = count_facets([*self.found.in_cache], self.found.query)
        for name in FACETS:
            counts = Counter(self.found.indexed.facets.get(name, {})) + Counter(cached[name])
            chosen = getattr(self.query, name)
            if len(counts) > 1 or chosen:
                values = [
                    Chip(self._label(name, one), self._link(name, one), counts[one], one == chosen) for one in counts
                ]
                yield LABELS[name], [Chip("Any", self._link(name, ""), is_current=not chosen), *values]

    def names(self) -> list[Destination]:
        """Return the categories and releases with these words in their names, on the first page."""
        if self.query.offset or not self.query.q:
            return []
        return [label_destination(label) for label in labels.search(self.searched)[: MAX_NAMES + 1]]

    def mark(self, title: str) -> Markup:
        return highlight_matches(title, self.searched)

    def has_ended(self, row: Record) -> bool:
        return is_discontinued(row.title)

    def link_of(self, row: Record) -> str:
        return url_path("series", row.series_id)

    def _link(self, name: str, value: str) -> str:
        return self.query.link(**{name: value})

    def _label(self, name: str, value: str) -> str:
        return _DISCONTINUED[value] if name == "discontinued" else value


def coverage() -> str:
    """Say what is searched, unless it is every series of the service."""
    if not settings.ECON_MAY_STORE:
        return "Searched: imported titles, and series that this site has shown lately. It stores no others."
    if settings.ECON_BASE_URL:
        return "Searched: series that this site has shown, and imported titles."
    return ""
