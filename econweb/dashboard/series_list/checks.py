"""Checks of a list: differences between descriptions that make series hard to use together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from econweb.dashboard.display.fields import field_label
from econweb.dashboard.relations.related import find_replaced, find_twins_among
from econweb.dashboard.series.lateness import is_late
from econweb.upstream.records import Series, is_discontinued

# Ids named with one value. More of them would repeat the table.
MAX_NAMED_IDS = 5
# Fields that should be equal before the columns of a table can be compared.
_FIELDS_TO_SHARE = ("frequency", "units", "seasonal_adjustment")


@dataclass(frozen=True)
class ValueGroup:
    """One value, and the series that have it; without ids where they are too many to name."""

    value: str
    count: int
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One message to the user: a label, the value of most series, and the series that it concerns."""

    kind: str
    label: str
    groups: tuple[ValueGroup, ...]
    most: ValueGroup | None = None


def find_oddities(seriess: Sequence[Series], as_of: date) -> list[Finding]:
    return [*_find_mixed(seriess), *_find_ended(seriess), *_find_late(seriess, as_of), *_find_apart(seriess)]


def find_relatives(seriess: Sequence[Series]) -> list[Finding]:
    """Return which series are one but for their adjustment, and which are replaced, with where it was found."""
    twins = tuple(ValueGroup("", len(ids), ids) for ids in find_twins_among(seriess))
    replaced = tuple(ValueGroup(f"by {other}", 1, (one,)) for one, other in find_replaced(seriess))
    found = (
        ("twins", "Equal in title, units and frequency", twins),
        ("replaced", "Replaced, as their notes say", replaced),
    )
    return [Finding(kind, label, groups) for kind, label, groups in found if groups]


def summarise_oddities(findings: Sequence[Finding]) -> str:
    """Say in a line or two what stands against combining the series."""
    mixed = [one.label.lower() for one in findings if one.kind in _FIELDS_TO_SHARE]
    counts = {one.kind: one.groups[0].count for one in findings}
    sentences = [f"They differ in {' and '.join(filter(None, (', '.join(mixed[:-1]), mixed[-1])))}."] if mixed else []
    for kind, one, many in (
        ("discontinued", "1 is discontinued.", "{} are discontinued."),
        ("late", "1 has no recent data.", "{} have no recent data."),
        ("apart", "Not all of them overlap in time.", ""),
    ):
        if kind in counts:
            sentences.append(one if counts[kind] == 1 else many.format(counts[kind]))
    return " ".join(sentences)


def _find_mixed(seriess: Sequence[Series]) -> Iterator[Finding]:
    for name in _FIELDS_TO_SHARE:
        ids_of: dict[str, list[str]] = {}
        for series in seriess:
            ids_of.setdefault(getattr(series, name), []).append(series.id)
        groups = [_group(value, ids) for value, ids in sorted(ids_of.items(), key=lambda one: -len(one[1]))]
        if len(groups) > 1:
            # A value of half the series is not that of most.
            most = groups.pop(0) if 2 * groups[0].count > len(seriess) else None
            yield Finding(name, field_label(name), tuple(groups), most)


def _group(value: str, ids: Sequence[str]) -> ValueGroup:
    return ValueGroup(value, len(ids), tuple(ids) if len(ids) <= MAX_NAMED_IDS else ())


def _name(kind: str, label: str, ids: Sequence[str], seriess: Sequence[Series]) -> Iterator[Finding]:
    """Yield a finding that names each series, where there are any; a long list as a whole needs no names."""
    if ids:
        group = _group("", ids) if len(ids) == len(seriess) else ValueGroup("", len(ids), tuple(ids))
        yield Finding(kind, label, (group,))


def _find_ended(seriess: Sequence[Series]) -> Iterator[Finding]:
    ended = [series.id for series in seriess if is_discontinued(series.title)]
    return _name("discontinued", "Discontinued", ended, seriess)


def _find_late(seriess: Sequence[Series], as_of: date) -> Iterator[Finding]:
    late = [series.id for series in seriess if is_late(series, as_of) and not is_discontinued(series.title)]
    return _name("late", "No recent data", late, seriess)


def _find_apart(seriess: Sequence[Series]) -> Iterator[Finding]:
    if not seriess:
        return
    starts_last = max(seriess, key=attrgetter("observation_start"))
    ends_first = min(seriess, key=attrgetter("observation_end"))
    if starts_last.observation_start > ends_first.observation_end:
        ends = ValueGroup(f"ends {ends_first.observation_end}", 1, (ends_first.id,))
        starts = ValueGroup(f"starts {starts_last.observation_start}", 1, (starts_last.id,))
        yield Finding("apart", "The series do not overlap", (ends, starts))
