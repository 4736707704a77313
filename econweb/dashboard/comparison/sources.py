"""The sources of a comparison: what a text and a date mean, and the names that the page uses."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ValidationError

from econweb.dashboard.forms import check_text, parse_day
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.search_box.destination import Destination, owner_destination, series_destination
from econweb.dashboard.search_box.find import entered_text, find_destinations

# In characters, for the address of a source.
MAX_SOURCE_LENGTH = 2000
_SERIES = re.compile(r"series[:/ ]([A-Za-z0-9_]{1,25})", re.IGNORECASE)
_DAY = re.compile(r"@([0-9]{4}(?:-[0-9]{1,2}){0,2})\Z")


@dataclass(frozen=True)
class ComparedSource:
    """One source; without a day, as of today."""

    kind: str
    id: str
    day: date | None = None
    # True where nothing says that it exists.
    is_guess: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}{f'@{self.day}' if self.day else ''}"

    @property
    def owner(self) -> tuple[str, str]:
        return self.kind, self.id

    @property
    def is_series(self) -> bool:
        return self.kind == "series"

    @property
    def undated_title(self) -> str:
        return f"{self.kind.capitalize()} {self.id}"

    @property
    def title(self) -> str:
        return f"{self.undated_title}{f' on {self.day}' if self.day else ''}"

    @property
    def name(self) -> str:
        """Return the id of a series, or the name of a category or release from the label book."""
        if self.is_series:
            return self.id
        return get_owner(self.kind, int(self.id)).name or self.undated_title

    @property
    def label(self) -> str:
        """Return name and number, for a choice between meanings."""
        name = "" if self.is_series else get_owner(self.kind, int(self.id)).name
        return f"{self.undated_title}{f', {name}' if name else ''}"

    def entered(self) -> str:
        """Return the text that the form shows."""
        return entered_text(
            series_destination(self.id) if self.is_series else owner_destination(self.kind, int(self.id))
        )


def find_sources(text: str, given_day: str = "") -> list[ComparedSource]:
    """Return the sources that a text may mean: anything that the search box accepts, with an optional `@` and day."""
    written = _DAY.search(text)
    destinations = _find_destinations(
        check_text(text[: written.start()] if written else text, "", longest=MAX_SOURCE_LENGTH)
    )
    if not destinations:
        raise ValidationError(f"“{text}” is not known. Enter a category, release or series.")
    return [
        ComparedSource(one.kind, one.id, _choose_day(one, written, given_day), one.is_guess) for one in destinations
    ]


def parse_entered_day(text: str) -> date | None:
    return parse_day(text, "date") if text else None


def _find_destinations(text: str) -> list[Destination]:
    series = _SERIES.fullmatch(text)
    if series:
        return [series_destination(series[1])]
    destinations = [one for one in find_destinations(text) if one.kind]
    # The kind of the other sources decides, also where the box would not offer a series with such an id.
    if re.fullmatch(r"[0-9]{1,9}", text) and all(one.kind != "series" for one in destinations):
        destinations.append(series_destination(text, is_guess=True))
    return destinations


def _choose_day(destination: Destination, written: re.Match[str] | None, given_day: str) -> date | None:
    """Return the day of the text, of a pasted link with fixed dates, or of the date field."""
    period = parse_qs(urlsplit(destination.link).query)
    is_pinned = period.get("realtime_start", []) == period.get("realtime_end")
    text = written[1] if written else period["realtime_end"][0] if is_pinned else ""
    day, given = parse_entered_day(text), parse_entered_day(given_day)
    if day and given and day != given:
        raise ValidationError(f"There are two dates, {day} and {given}. Keep one.")
    return day or given


def name_sources(sources: Mapping[str, ComparedSource]) -> dict[str, str]:
    """Return a name for each source, all of them different."""
    owners = Counter(source.owner for source in sources.values())
    owner_names = Counter(ComparedSource(*owner).name for owner in owners)
    names: dict[str, str] = {}
    for letter, source in sources.items():
        name = source.name
        if owner_names[name] > 1:
            name += f" ({source.undated_title})"
        if source.day or owners[source.owner] > 1:
            name += f" on {source.day}" if source.day else " today"
        again = sum(other == source for other in list(sources.values())[: len(names)])
        names[letter] = f"{name} ({again + 1})" if again else name
    return names
