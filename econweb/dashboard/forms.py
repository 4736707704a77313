"""Fields, checks and error messages that the forms of several pages share."""

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from econweb.upstream.queries import SORT_ORDERS, TAG_GROUPS, TAG_OWNERS

# All names together: this bounds the links of a page of 50 names to half a megabyte in any script.
MAX_NAMES_CHARACTERS = 500
# Unknown parameters that are compared with the known ones, since comparing takes time.
MAX_UNKNOWN = 10
# The label book has numbers of at most nine digits, so no offset is larger.
MAX_OFFSET = 10**9
FIRST_DAY, LAST_DAY = date(1776, 7, 4), date(9999, 12, 31)
START_AFTER_END = "The last day is before the first day."
TWO_PERIODS = "Enter one date, or a first and last day, not both."
# Names of parameters in messages.
LABELS = {
    "search_text": "Filter text",
    "tag_names": "Tag names",
    "tag_group_id": "Tag group",
    "order_by": "Sort",
    "sort_order": "Direction",
    "limit": "Rows per page",
    "offset": "First row",
    "columns": "Columns",
    "ids": "Series IDs",
    "q": "Search",
    "kind": "Kind",
    "frequency": "Frequency",
    "adjustment": "Adjustment",
    "discontinued": "Discontinued",
    "at": "Category",
    "reason": "Reason",
    "days": "Keep it",
    "title": "Title",
    "note": "Note",
    "audience": "Who may see it",
    "person": "Person",
}
# The longest wrong value that a message repeats.
MAX_REPEATED = 50
# Labels of the fields of a period; any other day is called a date.
_DAY_LABELS = {"realtime_start": "first day", "realtime_end": "last day"}
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")


class ParsedParameters(Protocol):
    """The part of a form, or of parsed parameters, that error pages use."""

    @property
    def data(self) -> Any: ...

    @property
    def errors(self) -> Mapping[str, Iterable[object]]: ...

    @property
    def fields(self) -> Collection[str]: ...

    def add_error(self, name: Any, message: Any, /) -> None: ...


def text_field(strip: bool = True) -> forms.CharField:
    field = forms.CharField(required=False, strip=strip)
    # Django's message about NUL characters does not name the parameter; check_text does.
    field.validators = []
    return field


def number_field(name: str, highest: int) -> forms.IntegerField:
    """Return a field for a whole number from 0."""
    messages = dict.fromkeys(("invalid", "min_value", "max_value"), number_message(name, 0, highest))
    return forms.IntegerField(required=False, min_value=0, max_value=highest, error_messages=messages)


class LinkForm(forms.Form):
    """The parameters of a link. One that is given twice, with different values, is an error."""

    def clean(self) -> None:
        for name in find_conflicts(self.data, self.fields):
            self.add_error(name, two_values_message(name))


class RealtimeForm(LinkForm):
    """The real-time period. An empty parameter counts as absent; `as_of` is its only day."""

    as_of = text_field()
    realtime_start = text_field()
    realtime_end = text_field()

    def clean_as_of(self) -> date | None:
        return parse_optional_day(self.cleaned_data["as_of"], "as_of")

    def clean_realtime_start(self) -> date | None:
        return parse_optional_day(self.cleaned_data["realtime_start"], "realtime_start")

    def clean_realtime_end(self) -> date | None:
        return parse_optional_day(self.cleaned_data["realtime_end"], "realtime_end")

    def input_values(self) -> dict[str, str]:
        """Return the values of the inputs above the results, as parsed or as given."""
        return input_values(self.cleaned_data, self.data)

    def clean(self) -> None:
        super().clean()
        if message := spread_as_of(self.cleaned_data):
            self.add_error("as_of", message)
        start, end = (self.cleaned_data.get(name) for name in ("realtime_start", "realtime_end"))
        if start and end and start > end:
            self.add_error("realtime_end", START_AFTER_END)


# Parameters with an input above the results of a tag page, also when a parameter is wrong.
ABOVE_RESULTS = {"search_text", "as_of", "realtime_start", "realtime_end"}


def spread_as_of(values: dict[str, Any]) -> str:
    """Make one date the first and the last day; return a message if another period is given."""
    day = values.pop("as_of", None)
    if day and (values.get("realtime_start") or values.get("realtime_end")):
        return TWO_PERIODS
    if day:
        values.update(realtime_start=day, realtime_end=day)
    return ""


def input_values(values: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the inputs above the results, as parsed or as given. A period of one day is one date."""
    shown = {name: str(values.get(name, data.get(name)) or "") for name in ABOVE_RESULTS}
    start, end = values.get("realtime_start"), values.get("realtime_end")
    if start and start == end:
        shown |= {"as_of": str(start), "realtime_start": "", "realtime_end": ""}
    return shown


def check_text(text: str, name: str, longest: int) -> str:
    if _CONTROLS.search(text):
        raise ValidationError(_add_label(name, "A character in it is not allowed. Remove it."))
    if len(text) > longest:
        raise ValidationError(_add_label(name, f"At most {longest:,} characters. Shorten it."))
    return text


def _add_label(name: str, message: str) -> str:
    """Put the label of a parameter before a message; some values have no label of their own."""
    label = LABELS.get(name)
    return f"{label}: {message[0].lower()}{message[1:]}" if label else message


def two_values_message(name: str) -> str:
    return f"The link has two different values for “{name}”. Keep one."


def unknown_value_message(name: str, value: str, known: Iterable[str]) -> str:
    """Return the message for a value that is not one of the choices."""
    return f"{LABELS[name]}: “{_CONTROLS.sub('', value)[:MAX_REPEATED]}” is not known. Choose: {', '.join(known)}."


def number_message(name: str, lowest: int, highest: int) -> str:
    return f"{LABELS[name]}: choose a whole number from {lowest} to {highest:,}."


def check_choice(text: str, name: str, choices: Collection[str]) -> str:
    if text not in choices:
        raise ValidationError(unknown_value_message(name, text, choices))
    return text


class OwnerListForm(LinkForm):
    """The parameters of a list of categories and releases: one kind or both, their order, and the first row."""

    orders: ClassVar[Collection[str]]
    default_order: ClassVar[str]
    kind = text_field()
    order_by = text_field()
    sort_order = text_field()
    offset = number_field("offset", MAX_OFFSET)

    def clean_kind(self) -> str:
        return check_choice(self.cleaned_data["kind"], "kind", ("", *TAG_OWNERS))

    def clean_order_by(self) -> str:
        return check_choice(self.cleaned_data["order_by"] or self.default_order, "order_by", self.orders)

    def clean_sort_order(self) -> str:
        return check_choice(self.cleaned_data["sort_order"] or "desc", "sort_order", SORT_ORDERS)

    def clean_offset(self) -> int:
        return self.cleaned_data["offset"] or 0


def unknown_group_message(group_id: str, of_owner: Iterable[str]) -> str:
    """Return the error message for a group that neither the contract nor the owner has, or an empty text."""
    known = dict.fromkeys([*TAG_GROUPS, *of_owner])
    return unknown_value_message("tag_group_id", group_id, known) if group_id and group_id not in known else ""


def parse_optional_day(text: str, name: str) -> date | None:
    return parse_day(text, name) if text else None


def parse_day(text: str, name: str) -> date:
    """Parse a day, a month or a year. `realtime_end` takes the last day of a month or year, other names the first."""
    label = _DAY_LABELS.get(name, "date")
    parts = _DAY.fullmatch(text)
    try:
        year, month, day = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
        first = date(year, month or 1, day or 1)
    except ValueError:
        what = f"There is no date {text}. " if parts else ""
        raise ValidationError(f"{what}Enter the {label} as YYYY-MM-DD, for example 2020-01-31.") from None
    takes_last = name == "realtime_end" and not day
    return _check_in_time(_find_last_day(first, month or 12) if takes_last else first, label)


def _find_last_day(first: date, month: int) -> date:
    """Return the last day of a month or year that begins on `first`: today, where it has not ended yet."""
    last, today = date(first.year, month, monthrange(first.year, month)[1]), timezone.localdate()
    return min(last, today) if first <= today else last


def _check_in_time(day: date, label: str) -> date:
    """Check the bounds of the contract. Of future days only the last one is valid: it means an open end."""
    if FIRST_DAY <= day <= timezone.localdate() or day == LAST_DAY:
        return day
    raise ValidationError(f"Choose a {label} between {FIRST_DAY} and today.")


def find_conflicts(data: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the parameters that a link gives more than once with different values."""
    return [name for name in names if isinstance(data, QueryDict) and len(set(data.getlist(name))) > 1]


def suggest_spellings(data: Iterable[str], names: Collection[str]) -> dict[str, str]:
    """Return the unknown parameters of a link, each with the known one that it resembles."""
    unknown = [word for word in data if word not in names][:MAX_UNKNOWN]
    near = {word: get_close_matches(word, names, n=1, cutoff=0.7) for word in unknown}
    return {word: found[0] for word, found in near.items() if found}
