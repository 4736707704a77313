"""Tags of several sources side by side: in all of them, only in one, and how their counts differ."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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

    @property
    def difference(self) -> int | None:
        """The last source less the first."""
        first, last = self.counts[0], self.counts[-1]
        return None if first is None or last is None else last - first

    @property
    def ratio(self) -> float | None:
        """The last source by the first, of their shares where these are known and else of their counts."""
        shares_known = self.shares[0] is not None and self.shares[-1] is not None
        first, last = (self.shares if shares_known else self.counts)[:: max(1, len(self.counts) - 1)]
        return last / first if first and last is not None else None

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
    rows = []
    for key in keys:
        counts = tuple(found[key].series_count if key in found else None for found in tags)
        shares = tuple(_share(count, page.series) for count, page in zip(counts, pages, strict=True))
        rows.append(Compared(*key, counts, shares))
    return rows


def _share(count: int | None, series: int | None) -> float | None:
    return count / series if count is not None and series else None


def in_view(rows: Sequence[Compared], query: CompareQuery) -> list[Compared]:
    """What has no value comes last in either direction; ties go by name."""

    def value(row: Compared) -> Any:
        if query.order_by in query.letters:
            return row.counts[query.letters.index(query.order_by)]
        return getattr(row, query.order_by)

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
    return row.present == 1 and row.counts[query.letters.index(query.only)] is not None


def tallies(rows: Sequence[Compared], letters: str) -> dict[str, int]:
    """How many tags are in all sources, and in no other than each."""
    counts = Counter[str]()
    for row in rows:
        if row.present == len(row.counts):
            counts["all"] += 1
        elif row.present == 1:
            counts[next(x for x, count in zip(letters, row.counts, strict=True) if count is not None)] += 1
    return {key: counts[key] for key in ("all", *letters)}
