"""The difference between two sets of records: what is gone, what is new and what has changed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import msgspec

from econweb.library.canonical import Record, sort_key
from econweb.upstream.records import Tag

# A movement is small up to this share of a former count, and up to this number of points of popularity.
SMALL_SHARE, SMALL_POINTS = 0.05, 5
SMALL_RULE = (
    f"A movement is small where a number of series moved by at most {100 * SMALL_SHARE:.0f} %, "
    f"and popularity by at most {SMALL_POINTS} points."
)


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
        """Return whether only popularity and the number of series moved, and both at most a little."""
        before, after = self.before, self.after
        if abs(after.popularity - before.popularity) > SMALL_POINTS:
            return False
        if isinstance(before, Tag) and isinstance(after, Tag):
            near = abs(after.series_count - before.series_count) <= SMALL_SHARE * before.series_count
            counts = {"popularity": after.popularity, "series_count": after.series_count}
            return near and after == msgspec.structs.replace(before, **counts)
        return before == msgspec.structs.replace(after, popularity=before.popularity)


@dataclass(frozen=True)
class Difference:
    """Records by what happened to them, each list in the order of names."""

    gone: Sequence[Record]
    new: Sequence[Record]
    changed: Sequence[Changed]

    @property
    def small_rule(self) -> str:
        return SMALL_RULE

    @property
    def rows(self) -> int:
        return len(self.gone) + len(self.new) + len(self.changed)

    @cached_property
    def notable(self) -> list[Changed]:
        return [one for one in self.changed if not one.is_small]

    @cached_property
    def small(self) -> list[Changed]:
        return [one for one in self.changed if one.is_small]

    @cached_property
    def names_in_both(self) -> Set[str]:
        """Return the names of tags that are both gone and new: only groups tell such tags apart."""
        return {tag.name for tag in _tags(self.gone)} & {tag.name for tag in _tags(self.new)}


def find_difference(before: Iterable[Record], after: Iterable[Record]) -> Difference:
    """Compare tags by name and group, what is left of them by name alone, and series by id and first day."""
    old, new = _by_key(before), _by_key(after)
    matched = [Changed(old[key], new[key]) for key in sorted(old.keys() & new.keys()) if old[key] != new[key]]
    gone = [old[key] for key in sorted(old.keys() - new.keys())]
    came = [new[key] for key in sorted(new.keys() - old.keys())]
    regrouped = _find_regrouped(gone, came)
    return Difference(
        gone=[one for one in gone if _name(one) not in regrouped],
        new=[one for one in came if _name(one) not in regrouped],
        changed=sorted([*regrouped.values(), *matched], key=lambda one: _name(one.before)),
    )


def _find_regrouped(gone: Iterable[Record], new: Iterable[Record]) -> Mapping[str, Changed]:
    """Return the tags whose group changed, by name: the name is left once on each side."""
    before, after = _by_unique_name(gone), _by_unique_name(new)
    return {name: Changed(before[name], after[name]) for name in before.keys() & after.keys()}


def _by_unique_name(records: Iterable[Record]) -> Mapping[str, Tag]:
    tags = [*_tags(records)]
    times = Counter(tag.name for tag in tags)
    return {tag.name: tag for tag in tags if times[tag.name] == 1}


def _tags(records: Iterable[Record]) -> Iterator[Tag]:
    return (one for one in records if isinstance(one, Tag))


def _name(record: Record) -> str:
    return sort_key(record)[0]


def _by_key(records: Iterable[Record]) -> dict[tuple[Sequence[str], int], Record]:
    """Return the records by their key, and by their place among those that have the same, whatever their order."""
    found = defaultdict[Sequence[str], list[Record]](list)
    for record in records:
        found[sort_key(record)].append(record)
    return {
        (key, place): record
        for key, same in found.items()
        for place, record in enumerate(sorted(same, key=repr) if len(same) > 1 else same)
    }
