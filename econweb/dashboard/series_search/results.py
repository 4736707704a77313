"""The series that a search finds: a page of rows, facets with counts, and what was searched."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings
from markupsafe import Markup

from econweb.dashboard.display.controls import Chip
from econweb.dashboard.lookup.found_series import find_cached
from econweb.dashboard.page_links import url_path
from econweb.dashboard.paging import Paging
from econweb.dashboard.parameter_checks import LABELS
from econweb.dashboard.search_box.destination import Destination, label_destination
from econweb.dashboard.search_box.highlight import highlight_matches
from econweb.dashboard.series_search.query import SearchQuery
from econweb.label_book import lookup as labels
from econweb.search_index.titles.find import MAX_COUNTED, TitleQuery, TitleResults, count_facets, find, has_facets
from econweb.search_index.titles.places import Record, is_discontinued

ROWS_PER_PAGE = 50
# Names of categories and releases above the series; the directory has them all.
MAX_NAMES = 4
# Of more words, no search with one word less is tried.
MAX_TRIED_WORDS = 6
FACETS = ("frequency", "seasonal_adjustment", "discontinued")
_DISCONTINUED = {"no": "Current", "yes": "Discontinued"}


@dataclass(frozen=True)
class SearchResults:
    """The results of a query; `limit` is the number of rows of the page or file."""

    query: SearchQuery
    limit: int = ROWS_PER_PAGE

    @cached_property
    def in_cache(self) -> dict[int, Record]:
        """Series in the cache by place, where nothing of the service may be stored."""
        return find_cached(self.query.q)

    @cached_property
    def cached(self) -> list[Record]:
        return [record for place, record in self.in_cache.items() if has_facets(place, self._title_query)]

    @cached_property
    def found(self) -> TitleResults:
        before = len(self.cached)
        first, last = self.query.offset, self.query.offset + self.limit
        # The rows after those in the cache; a page that these fill has none, and one row is read for the counts.
        offset, limit = max(0, first - before), max(1, last - max(first, before))
        # A title that was imported may be in the cache as well.
        without = [one.series_id for one in self.in_cache.values()]
        found = find(replace(self._title_query, offset=offset, limit=limit, without=without))
        # Near words of the index are no help where the cache has the word itself.
        return TitleResults() if self.cached and found.meaning.is_corrected else found

    @property
    def _title_query(self) -> TitleQuery:
        query = self.query
        return TitleQuery(query.q, query.frequency, query.seasonal_adjustment, query.discontinued)

    @property
    def total(self) -> int:
        return len(self.cached) + self.found.count

    @cached_property
    def paging(self) -> Paging:
        return Paging(self.total, self.query.offset, self.limit)

    def rows(self) -> Sequence[Record]:
        own = self.cached[self.query.offset : self.query.offset + self.limit]
        return [*own, *self.found.rows[: self.limit - len(own)]]

    @cached_property
    def searched(self) -> str:
        """The words that were searched: corrected ones, or those of the link."""
        return " ".join(self.found.meaning.words) if self.is_corrected else self.query.q

    @property
    def is_corrected(self) -> bool:
        return self.found.meaning.is_corrected and bool(self.total)

    @property
    def unknown(self) -> Sequence[str]:
        return () if self.cached else self.found.meaning.unknown

    def with_fewer_words(self) -> Iterator["SearchResults"]:
        """Yield the searches that leave one word out, and find something in the words as they are."""
        words = list(dict.fromkeys(self.query.q.split()))
        if self.total or not 1 < len(words) <= MAX_TRIED_WORDS:
            return
        for place in range(len(words)):
            text = " ".join([*words[:place], *words[place + 1 :]])
            fewer = SearchResults(replace(self.query, q=text, offset=0), 1)
            if fewer.total and not fewer.is_corrected:
                yield fewer

    def size(self) -> str:
        if self.found.is_more:
            return f"The best {MAX_COUNTED:,} series"
        return f"{self.total:,} series"

    def in_words(self) -> str:
        filters = [name for name in (self.query.frequency, self.query.seasonal_adjustment) if name]
        filters += [_DISCONTINUED[self.query.discontinued]] if self.query.discontinued else []
        return ", ".join([f"“{self.searched}”", *filters])

    def facets(self) -> Iterator[tuple[str, list[Chip]]]:
        """Yield each facet that tells results apart, with a link for each of its values."""
        cached = count_facets([*self.in_cache], self._title_query)
        for name in FACETS:
            counts = Counter(self.found.facets.get(name, {})) + Counter(cached[name])
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
