"""Comparison of the tags of several sources: presence, counts and shares."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import attrgetter
from typing import Any

from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.display.sorting import sort_none_last
from econweb.upstream.records import Tag, TagPage


@dataclass(frozen=True)
class ComparedTag:
    """One tag; count and share are None for a source without it."""

    name: str
    group_id: str
    counts: tuple[int | None, ...]
    shares: tuple[float | None, ...]
    # Shares in percent where all sources know them, else counts; 0 where a source lacks the tag.
    sizes: tuple[float, ...]

    @property
    def difference(self) -> float:
        """Return the last source minus the first."""
        # Rounded, so that floating-point noise is no difference.
        return round(self.sizes[-1] - self.sizes[0], 6)

    @property
    def spread(self) -> float:
        """Return the highest size minus the lowest; a source without the tag counts as 0."""
        return round(max(self.sizes) - min(self.sizes), 6)

    @property
    def ratio(self) -> float | None:
        """Return the last source divided by the first; None unless both have the tag."""
        first, last = self.sizes[0], self.sizes[-1]
        return round(last / first, 6) if first and last else None

    @property
    def ratio_rank(self) -> tuple[float, float] | None:
        """Return the sort key: a tag that only one of the two has is at an end, a larger one further out."""
        first, last = self.sizes[0], self.sizes[-1]
        if self.ratio is not None:
            return self.ratio, 0
        if last:
            return inf, last
        return (0, -first) if first else None

    def only(self, letters: str) -> str:
        """Return the letter of the only source that has the tag; empty when several do."""
        here = [x for x, count in zip(letters, self.counts, strict=True) if count is not None]
        return here[0] if len(here) == 1 else ""

    def cells(self) -> Iterator[tuple[int | None, float | None]]:
        return zip(self.counts, self.shares, strict=True)

    @property
    def presence_count(self) -> int:
        return sum(count is not None for count in self.counts)


def compare_tags(pages: Sequence[TagPage]) -> list[ComparedTag]:
    """Return every tag of any source; a name in two groups is two tags."""
    tags: list[Mapping[tuple[str, str], Tag]] = [
        {(tag.name, tag.group_id): tag for tag in page.matches} for page in pages
    ]
    keys = dict.fromkeys(key for found in tags for key in found)
    are_shares = has_shares(pages)
    rows = []
    for key in keys:
        counts = tuple(found[key].series_count if key in found else None for found in tags)
        shares = tuple(_compute_share(count, page.series) for count, page in zip(counts, pages, strict=True))
        sizes = tuple(100 * (share or 0) for share in shares) if are_shares else tuple(x or 0 for x in counts)
        rows.append(ComparedTag(*key, counts, shares, sizes))
    return rows


def has_shares(pages: Iterable[TagPage]) -> bool:
    return all(page.series for page in pages)


def _compute_share(count: int | None, series: int | None) -> float | None:
    return count / series if count is not None and series else None


def filter_and_sort(rows: Sequence[ComparedTag], query: CompareQuery) -> list[ComparedTag]:
    """Return the rows that the filters leave, in the order of the view; ties go by name."""

    def value(row: ComparedTag) -> Any:
        if query.order_by in query.letters:
            return row.counts[query.letters.index(query.order_by)]
        return row.ratio_rank if query.order_by == "ratio" else getattr(row, query.order_by)

    by_name = sorted((row for row in rows if _is_wanted(row, query)), key=attrgetter("name", "group_id"))
    return sort_none_last(by_name, value, query.sort_order == "desc")


def _is_wanted(row: ComparedTag, query: CompareQuery) -> bool:
    if query.tag_group_id and row.group_id != query.tag_group_id:
        return False
    if query.only in {"", "all"}:
        return not query.only or row.presence_count == len(row.counts)
    return row.only(query.letters) == query.only


def count_by_presence(rows: Sequence[ComparedTag], letters: str) -> dict[str, int]:
    """Count the tags that all sources have, and those that only one has."""
    counts = Counter[str]()
    for row in rows:
        if row.presence_count == len(row.counts):
            counts["all"] += 1
        elif only := row.only(letters):
            counts[only] += 1
    return {key: counts[key] for key in ("all", *letters)}
