"""The sources of a comparison: the meaning of a text and a date, and the names that the page uses."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ValidationError
from django.utils import timezone

from econweb.accounts.people import Person
from econweb.dashboard.files.provenance import name_live_service, name_service
from econweb.dashboard.frozen.access import check_rows, find_whole_copy
from econweb.dashboard.frozen.selection import days_in_words, past_days_of
from econweb.dashboard.frozen.titles import whole_title
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import url_path
from econweb.dashboard.parameter_checks import check_text, parse_day
from econweb.dashboard.rendering.filters import first_names
from econweb.dashboard.search_box.destination import Destination, content_of, owner_destination, series_destination
from econweb.dashboard.search_box.find import (
    entered_text,
    find_destinations,
    find_series_with_words,
    is_named,
    may_exist,
)
from econweb.dashboard.search_box.id_lists import drop_marks
from econweb.dashboard.search_box.pasted_ids import MAX_IDS, parse_ids
from econweb.label_book.folding import fold
from econweb.library.models import FrozenCopy
from econweb.upstream.queries import SERIES_ID, TAG_OWNERS, is_owner_number

# In characters, for the address of a source, and for the ids of a series list.
MAX_SOURCE_LENGTH = 2000
# Of the kind alone: in ids the flag would take other letters for those of ASCII.
_SERIES = re.compile(rf"(?i:series)[:/ ]({SERIES_ID})")
_FROZEN = re.compile(r"(?:frozen:|(?:https?://[^/?#]*)?(?:/me)?/frozen/)([0-9A-Za-z]{13})(?:[/.?#].*)?", re.IGNORECASE)
_LIST = re.compile(r"(?i:list):([A-Za-z0-9_,]+)")
# Ids that name a list.
MAX_NAMED = 3
_DAY = re.compile(r"@([0-9]{4}(?:-[0-9]{1,2}){0,2})\Z")


@dataclass(frozen=True)
class ComparedSource:
    """One source; without a day, as of today."""

    kind: str
    id: str
    day: date | None = None
    # True where nothing says that it exists.
    is_guess: bool = field(default=False, compare=False)
    # True where a part of its name was entered, which may mean something else as well.
    is_partial: bool = field(default=False, compare=False)
    # Of a series that was found by its words alone.
    own_name: str = field(default="", compare=False)
    # Of the kind `frozen` alone.
    copy: FrozenCopy | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}{f'@{self.day}' if self.day else ''}"

    @property
    def owner(self) -> tuple[str, str]:
        return self.kind, self.id

    @property
    def content(self) -> str:
        return self.copy.kind if self.copy else content_of(self.kind)

    @property
    def is_series(self) -> bool:
        return self.content == "series"

    @property
    def undated_title(self) -> str:
        if self.kind == "list":
            return f"Series list {first_names(self.id.split(','), MAX_NAMED)}"
        return f"{'Frozen copy' if self.copy else self.kind.capitalize()} {self.id}"

    @property
    def title(self) -> str:
        days = past_days_of(self.copy) if self.copy else self.day
        return f"{self.undated_title}{f' on {days}' if days else ''}"

    @property
    def is_past(self) -> bool:
        """Return whether its records are those of a day before that of the answer."""
        if self.copy:
            return bool(past_days_of(self.copy))
        return self.day is not None and self.day < timezone.localdate()

    @property
    def service(self) -> str:
        """Return the name of the service that its records are from; another one may have answered for a copy."""
        return name_service(self.copy.service, self.copy.is_sample) if self.copy else name_live_service()

    @property
    def state(self) -> str:
        """Return when this was so."""
        if self.copy:
            days = past_days_of(self.copy)
            return f"{f'On {days}, frozen' if days else 'Frozen'} {self.copy.created:%Y-%m-%d}"
        return f"On {self.day}" if self.day else "Now"

    @property
    def name(self) -> str:
        """Return the id of a series, the title of a copy, or the name of a category or release from the label book."""
        return self.id if self.kind == "series" else self._given_name or self.undated_title

    @property
    def label(self) -> str:
        """Return number and name, for a choice between meanings and in files."""
        return ", ".join(filter(None, (self.undated_title, self._given_name)))

    @property
    def title_in_files(self) -> str:
        """Return number, name and day; the label of a copy has its days."""
        return f"{self.label}{f' on {self.day}' if self.day else ''}"

    @property
    def _given_name(self) -> str:
        if self.copy:
            return f"{whole_title(self.copy)}, {days_in_words(self.copy)}"
        return self.own_name if self.kind in {"series", "list"} else get_owner(self.kind, int(self.id)).name

    def describe_reading(self) -> str:
        """Say how its text was read, after the text."""
        if self.is_series and not may_exist(series_destination(self.id)):
            return "is no known id"
        return f"is read as {'a list' if self.kind == 'list' else f'{self.label[0].lower()}{self.label[1:]}'}"

    def entered(self) -> str:
        """Return the text that the form shows."""
        if self.kind in {"frozen", "list"}:
            return f"{self.kind}:{self.id}"
        page = series_destination(self.id) if self.is_series else owner_destination(self.kind, int(self.id))
        return entered_text(page)


# By their letters.
Sources = Mapping[str, ComparedSource]


def find_sources(text: str, given_day: str = "", person: Person | None = None) -> list[ComparedSource]:
    """Return the sources that a text may mean: anything that the search box accepts, with an optional `@` and day.

    Also a frozen copy that the person may see, and ids of a list.
    """
    if frozen := _FROZEN.fullmatch(text):
        return [_find_frozen(frozen[1], given_day, person)]
    written = _DAY.search(text)
    entered = check_text(drop_marks(text[: written.start()] if written else text), "", longest=MAX_SOURCE_LENGTH)
    destinations = _find_destinations(entered)
    if not destinations:
        raise ValidationError(f"“{text}” is not known. Enter a category, release or series, or ids with commas.")
    is_partial = _is_part_of_names(entered, destinations)
    return [
        ComparedSource(
            *(one.kind, one.id, _choose_day(one, written, given_day)),
            is_guess=one.is_guess,
            is_partial=is_partial and one.kind in TAG_OWNERS,
        )
        for one in destinations
    ]


def find_titled_series(text: str, given_day: str, is_part: bool) -> list[ComparedSource]:
    """Return the series with the text as title, with an optional `@` and day; else those with a part of a name."""
    written = _DAY.search(text)
    title = fold(text[: written.start()] if written else text)
    found = find_series_with_words(title)
    named = [one for one in found if fold(one.name) == title]
    return [
        ComparedSource("series", one.id, _choose_day(one, written, given_day), is_partial=not named, own_name=one.name)
        for one in named or (found if is_part else [])
    ]


def parse_entered_day(text: str) -> date | None:
    return parse_day(text, "date") if text else None


def _find_destinations(text: str) -> list[Destination]:
    if series := _SERIES.fullmatch(text):
        return [series_destination(series[1])]
    if (listed := _LIST.fullmatch(text)) and (ids := parse_ids(listed[1])[0]):
        return [_list_destination(ids)]
    found = find_destinations(text)
    destinations = [one for one in found if one.kind]
    if found and not destinations:
        # The search box reads these words as ids, or as the address of another page.
        ids, refused = parse_ids(text)
        return [] if refused else [_list_destination(ids)]
    # The kind of the other sources decides, also where the box would not offer a series with such an id.
    if is_owner_number(text) and all(one.kind != "series" for one in destinations):
        destinations.append(series_destination(text, is_guess=True))
    return destinations


def _list_destination(ids: Sequence[str]) -> Destination:
    if len(ids) > MAX_IDS:
        raise ValidationError(f"A series list has at most {MAX_IDS} series.")
    return Destination(url_path("series_list"), "A series list", kind="list", id=",".join(ids))


def _is_part_of_names(text: str, found: Sequence[Destination]) -> bool:
    """Return whether the text is a part of names of categories and releases, unless one thing alone has its words."""
    if all(one.kind not in TAG_OWNERS for one in found) or is_named(text, []):
        return False
    known = [one for one in found if not one.is_guess]
    has_words = len(known) == 1 and {*fold(text).split()} <= {*fold(known[0].name).split()}
    return not has_words or bool(find_series_with_words(text))


def _find_frozen(copy_id: str, given_day: str, person: Person | None) -> ComparedSource:
    if given_day:
        raise ValidationError("A frozen copy has a date of its own. Remove the other one.")
    copy = find_whole_copy(copy_id, person)
    check_rows(copy)
    return ComparedSource("frozen", copy.pk, copy=copy)


def _choose_day(destination: Destination, written: re.Match[str] | None, given_day: str) -> date | None:
    """Return the day of the text, of a pasted link with fixed dates, or of the date field."""
    period = parse_qs(urlsplit(destination.link).query)
    is_pinned = "realtime_end" in period and period.get("realtime_start") == period["realtime_end"]
    text = written[1] if written else period["realtime_end"][0] if is_pinned else ""
    day, given = parse_entered_day(text), parse_entered_day(given_day)
    if day and given and day != given:
        raise ValidationError(f"There are two dates, {day} and {given}. Keep one.")
    return day or given


def name_sources(sources: Sources) -> dict[str, str]:
    """Return a name for each source, all of them different."""
    owners = Counter(source.owner for source in sources.values())
    owner_names = Counter({source.owner: source.name for source in sources.values()}.values())
    names: dict[str, str] = {}
    for letter, source in sources.items():
        name = f"{source.name} ({source.undated_title})" if owner_names[source.name] > 1 else source.name
        if source.day or owners[source.owner] > 1:
            name += f" on {source.day}" if source.day else " today"
        again = sum(other == source for other in list(sources.values())[: len(names)])
        names[letter] = f"{name} ({again + 1})" if again else name
    return names
