"""Tags of several sources side by side: in all of them, only in one, and how their counts differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import attrgetter, itemgetter
from typing import Any

from econweb.dashboard.compare_query import CompareQuery
from econweb.upstream.records import Tag, TagPage


@dataclass(frozen=True)
class Compared:
    """One tag; a source that does not have it has neither count nor share."""

    name: str
    group_id: str
    counts: tuple[int | None, ...]
    shares: tuple[float | None, ...]
    # Shares in percent where every source knows them, and else counts; nothing of a tag is 0 of it.
    sizes: tuple[float, ...]

    @property
    def difference(self) -> float:
        """The last source less the first."""
        # What differs only by how a computer divides is alike.
        return round(self.sizes[-1] - self.sizes[0], 6)

    @property
    def ratio(self) -> float | None:
        """The last source by the first, as far as both have it."""
        first, last = self.sizes[0], self.sizes[-1]
        return round(last / first, 6) if first and last else None

    @property
    def ratio_rank(self) -> tuple[float, float] | None:
        """What only one of the two has is at an end of the order, the larger the further out."""
        first, last = self.sizes[0], self.sizes[-1]
        if self.ratio is not None:
            return self.ratio, 0
        if last:
            return inf, last
        return (0, -first) if first else None

    def only(self, letters: str) -> str:
        """The letter of the one source that has it; empty when several do."""
        here = [x for x, count in zip(letters, self.counts, strict=True) if count is not None]
        return here[0] if len(here) == 1 else ""

    def cells(self) -> Iterator[tuple[int | None, float | None]]:
        return zip(self.counts, self.shares, strict=True)

    @property
    def present(self) -> int:
        return sum(count is not None for count in self.counts)


def compared(pages: Sequence[TagPage]) -> list[Compared]:
    """Every tag of any source; a name in two groups is two tags."""
    tags: list[Mapping[tuple[str, str], Tag]] = [
        {(tag.name, tag.group_id): tag for tag in page.matches} for page in pages
    ]
    keys = dict.fromkeys(key for found in tags for key in found)
    in_percent = shares_known(pages)
    rows = []
    for key in keys:
        counts = tuple(found[key].series_count if key in found else None for found in tags)
        shares = tuple(_share(count, page.series) for count, page in zip(counts, pages, strict=True))
        sizes = tuple(100 * (share or 0) for share in shares) if in_percent else tuple(x or 0 for x in counts)
        rows.append(Compared(*key, counts, shares, sizes))
    return rows


def shares_known(pages: Iterable[TagPage]) -> bool:
    return all(page.series for page in pages)


def _share(count: int | None, series: int | None) -> float | None:
    return count / series if count is not None and series else None


def in_view(rows: Sequence[Compared], query: CompareQuery) -> list[Compared]:
    """What has no value comes last in either direction; ties go by name."""

    def value(row: Compared) -> Any:
        if query.order_by in query.letters:
            return row.counts[query.letters.index(query.order_by)]
        return row.ratio_rank if query.order_by == "ratio" else getattr(row, query.order_by)

    kept = sorted((row for row in rows if _is_in(row, query)), key=attrgetter("name", "group_id"))
    values = [(value(row), row) for row in kept]
    known = sorted(
        (one for one in values if one[0] is not None), key=itemgetter(0), reverse=query.sort_order == "desc"
    )
    return [row for _, row in known] + [row for known_value, row in values if known_value is None]


def _is_in(row: Compared, query: CompareQuery) -> bool:
    if query.tag_group_id and row.group_id != query.tag_group_id:
        return False
    if query.only in {"", "all"}:
        return not query.only or row.present == len(row.counts)
    return row.only(query.letters) == query.only


def tallies(rows: Sequence[Compared], letters: str) -> dict[str, int]:
    """How many tags are in all sources, and in no other than each."""
    counts = Counter[str]()
    for row in rows:
        if row.present == len(row.counts):
            counts["all"] += 1
        elif only := row.only(letters):
            counts[only] += 1
    return {key: counts[key] for key in ("all", *letters)}
