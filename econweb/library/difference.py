"""The difference between two sets of records: what is gone, what is new and what has changed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from econweb.library.canonical import Record, sort_key
from econweb.upstream.records import Tag

# A count that moved by at most this share of the former one is no news.
SMALL_SHARE = 0.05


@dataclass(frozen=True)
class Changed:
    """One record before and after."""

    before: Record
    after: Record

    def fields(self) -> list[tuple[str, object, object]]:
        """Return the name of each field that differs, with both values."""
        before, after = msgspec.structs.asdict(self.before), msgspec.structs.asdict(self.after)
        return [(name, old, after[name]) for name, old in before.items() if old != after[name]]

    @property
    def is_small(self) -> bool:
        """Return whether only popularity moved, or the number of series a little."""
        before, after = self.before, self.after
        if isinstance(before, Tag) and isinstance(after, Tag):
            near = abs(after.series_count - before.series_count) <= SMALL_SHARE * before.series_count
            # Their names and groups are the same.
            return near and (before.created, before.notes) == (after.created, after.notes)
        return before == msgspec.structs.replace(after, popularity=before.popularity)


@dataclass(frozen=True)
class Difference:
    """Records by what happened to them, each list in the order of names."""

    gone: Sequence[Record]
    new: Sequence[Record]
    changed: Sequence[Changed]

    @property
    def rows(self) -> int:
        return len(self.gone) + len(self.new) + len(self.changed)

    @cached_property
    def notable(self) -> list[Changed]:
        return [one for one in self.changed if not one.is_small]

    @cached_property
    def small(self) -> list[Changed]:
        return [one for one in self.changed if one.is_small]


def find_difference(before: Iterable[Record], after: Iterable[Record]) -> Difference:
    """Compare tags by name and group, and series by id and first day."""
    old, new = _by_key(before), _by_key(after)
    return Difference(
        gone=[old[key] for key in sorted(old.keys() - new.keys())],
        new=[new[key] for key in sorted(new.keys() - old.keys())],
        changed=[Changed(old[key], new[key]) for key in sorted(old.keys() & new.keys()) if old[key] != new[key]],
    )


def _by_key(records: Iterable[Record]) -> dict[tuple[Sequence[str], int], Record]:
    """Return the records by their key, and by their place among those that have the same."""
    found: dict[tuple[Sequence[str], int], Record] = {}
    seen = Counter[Sequence[str]]()
    for record in records:
        key = sort_key(record)
        found[key, seen[key]] = record
        seen[key] += 1
    return found
