"""Series by the words of their titles: in the index, and in the cache where nothing may be stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings

from econweb.search_index.titles import find
from econweb.search_index.titles.cached import find_in
from econweb.search_index.titles.find import MAX_COUNTED, TitleQuery, TitleResults, has_facets
from econweb.search_index.titles.places import Record, record_of
from econweb.upstream import service

# Of more words, no search with one word less is tried.
MAX_TRIED_WORDS = 6


@dataclass(frozen=True)
class FoundSeries:
    """One page of the series of a search, those in the cache first."""

    query: TitleQuery

    @cached_property
    def in_cache(self) -> dict[int, Record]:
        """Series in the cache by place, where nothing of the service may be stored."""
        return _find_cached(self.query.text)

    @cached_property
    def cached(self) -> list[Record]:
        return [record for place, record in self.in_cache.items() if has_facets(place, self.query)]

    @cached_property
    def indexed(self) -> TitleResults:
        before = len(self.cached)
        first, last = self.query.offset, self.query.offset + self.query.limit
        # The rows after those in the cache; a page that these fill has none, and one row is read for the counts.
        offset, limit = max(0, first - before), max(1, last - max(first, before))
        # A title that was imported may be in the cache as well.
        without = [one.series_id for one in self.in_cache.values()]
        found = find.find(replace(self.query, offset=offset, limit=limit, without=without))
        # Near words of the index are no help where the cache has the word itself.
        return TitleResults() if self.cached and found.meaning.is_corrected else found

    @property
    def total(self) -> int:
        return len(self.cached) + self.indexed.count

    @property
    def is_corrected(self) -> bool:
        return self.indexed.meaning.is_corrected and bool(self.total)

    def rows(self) -> Sequence[Record]:
        own = self.cached[self.query.offset : self.query.offset + self.query.limit]
        return [*own, *self.indexed.rows[: self.query.limit - len(own)]]

    def size(self) -> str:
        if self.indexed.is_more:
            return f"The best {MAX_COUNTED:,} series"
        return f"{self.total:,} series"

    def with_fewer_words(self) -> Iterator["FoundSeries"]:
        """Yield the searches that leave one word out, and find something in the words as they are."""
        words = list(dict.fromkeys(self.query.text.split()))
        if self.total or not 1 < len(words) <= MAX_TRIED_WORDS:
            return
        for place in range(len(words)):
            text = " ".join([*words[:place], *words[place + 1 :]])
            fewer = FoundSeries(replace(self.query, text=text, offset=0, limit=1))
            if fewer.total and not fewer.is_corrected:
                yield fewer


def find_best(text: str, limit: int) -> list[Record]:
    cached = [*_find_cached(text).values()]
    known = {one.series_id for one in cached}
    others = [one for one in find.find_best(text, limit) if one.series_id not in known]
    return [*cached, *others][:limit]


def _find_cached(text: str) -> dict[int, Record]:
    """Return the series in the cache by place, best first; none where the index has them."""
    if settings.ECON_MAY_STORE:
        return {}
    return find_in([record_of(series) for series in service.decoded_series().values()], text)
