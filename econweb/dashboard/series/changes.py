"""The changes of one version of a series, in a few words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from econweb.dashboard.display.fields import field_label
from econweb.dashboard.page_links import day_comparison_link
from econweb.upstream.records import Series

# Fields that say what the numbers mean. A short form changes with its long form.
_MEANING = ("title", "units", "frequency", "seasonal_adjustment", "observation_start")
# Fields that change with new observations.
_ROUTINE = ("observation_end", "last_updated", "popularity")
BASE_YEAR = "Base year"
_YEAR = re.compile(r"\b(?:1[789]|20)[0-9]{2}\b")


@dataclass(frozen=True)
class Change:
    """One field before and after a change; both are empty where they would be too long."""

    label: str
    was: str = ""
    became: str = ""
    # Where the change is shown as a whole.
    link: str = ""


def list_changes(before: Series, after: Series) -> list[Change]:
    """Return what changed in meaning, or else in numbers."""
    return list(_find_changes(before, after)) or list(find_values(before, after, _ROUTINE))


def _find_changes(before: Series, after: Series) -> Iterator[Change]:
    yield from find_values(before, after, _MEANING)
    if before.notes != after.notes:
        label = "Notes removed" if not after.notes else "Notes added" if not before.notes else "Notes changed"
        compared = day_comparison_link(after.id, before.realtime_end, after.realtime_start)
        yield Change(label, link=f"{compared}#notes-1")


def find_values(before: Series, after: Series, fields: tuple[str, ...]) -> Iterator[Change]:
    for field in fields:
        was, became = str(getattr(before, field)), str(getattr(after, field))
        if was != became:
            yield _find_base_year(was, became) if field == "units" else Change(field_label(field), was, became)


def _find_base_year(was: str, became: str) -> Change:
    """Name the years alone where nothing else of the units changed."""
    years = {(old, new) for old, new in zip(_YEAR.findall(was), _YEAR.findall(became), strict=False) if old != new}
    if len(years) == 1 and _YEAR.sub("", was) == _YEAR.sub("", became):
        return Change(BASE_YEAR, *years.pop())
    return Change(field_label("units"), was, became)
