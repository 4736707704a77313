"""Checks of the values of parameters, and the messages for wrong ones, that several pages share."""

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from econweb.label_book.folding import INVISIBLE
from econweb.upstream.queries import FIRST_DAY, LAST_DAY, TAG_GROUPS

# The methods of a page with a form that changes something.
GET_OR_POST = ["GET", "HEAD", "POST"]
# All names together: this bounds the links of a page of 50 names to half a megabyte in any script.
MAX_NAMES_CHARACTERS = 500
# The label book has numbers of at most nine digits, so no offset is larger.
MAX_OFFSET = 10**9
START_AFTER_END = "The last day is before the first day."
TWO_PERIODS = "Enter one date, or a first and last day, not both."
# Names of parameters in messages.
LABELS = {
    "search_text": "Filter text",
    "tag_names": "Tag names",
    "tag_group_id": "Tag group",
    "only": "Tags shown",
    "order_by": "Sort",
    "sort_order": "Direction",
    "limit": "Rows per page",
    "offset": "First row",
    "columns": "Columns",
    "ids": "Series ids",
    "since": "Changes since",
    "ended": "Ended watch",
    "q": "Search",
    "kind": "Kind",
    "frequency": "Frequency",
    "seasonal_adjustment": "Adjustment",
    "discontinued": "Discontinued",
    "at": "Category",
    "reason": "Reason",
    "days": "Keep it",
    "title": "Title",
    "note": "Note",
    "audience": "Who may see it",
    "person": "Person",
    "target": "View",
}
# The longest wrong value that a message repeats.
MAX_REPEATED = 50
# Labels of the fields of a period; any other day is called a date.
_DAY_LABELS = {"realtime_start": "first day", "realtime_end": "last day"}
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")
# Those of INVISIBLE that no script needs; Persian and Thai have the others within words.
_INVISIBLE_IN_WORDS = re.compile("[\u00ad\u200e\u200f\u2060\ufeff]")


def text_field() -> forms.CharField:
    field = forms.CharField(required=False)
    # Django's message about NUL characters does not name the parameter; check_text does.
    field.validators = []
    return field


def check_text(text: str, name: str, longest: int) -> str:
    if _CONTROLS.search(text):
        raise ValidationError(_add_label(name, "A character in it is not allowed. Remove it."))
    if len(text) > longest:
        raise ValidationError(_add_label(name, f"At most {longest:,} characters. Shorten it."))
    return text


def remove_invisible(text: str) -> str:
    """Return typed words without characters that nobody sees, but for those that some scripts need."""
    bare = INVISIBLE.sub("", text)
    return bare if bare.isascii() else _INVISIBLE_IN_WORDS.sub("", text)


def _add_label(name: str, message: str) -> str:
    """Put the label of a parameter before a message; some values have no label of their own."""
    label = LABELS.get(name)
    return f"{label}: {message[0].lower()}{message[1:]}" if label else message


def two_values_message(name: str) -> str:
    return f"The link has two different values for “{name}”. Keep one."


def unknown_value_message(name: str, value: str, known: Iterable[str]) -> str:
    """Return the message for a value that is not one of the choices."""
    shown, choices = _CONTROLS.sub("", value)[:MAX_REPEATED], ", ".join(filter(None, known))
    return f"{LABELS[name]}: “{shown}” is not known. Choose: {choices}."


def number_message(name: str, lowest: int, highest: int) -> str:
    return f"{LABELS[name]}: choose a whole number from {lowest} to {highest:,}."


def check_choice(text: str, name: str, choices: Collection[str]) -> str:
    if text not in choices:
        raise ValidationError(unknown_value_message(name, text, choices))
    return text


def unknown_group_message(group_id: str, of_owner: Iterable[str]) -> str:
    """Return the error message for a group that neither the contract nor the owner has, or an empty text."""
    known = dict.fromkeys([*TAG_GROUPS, *of_owner])
    return unknown_value_message("tag_group_id", group_id, known) if group_id and group_id not in known else ""


def parse_day(text: str, name: str) -> date:
    """Parse a day, a month or a year. `realtime_end` takes the last day of a month or year, other names the first."""
    label = _DAY_LABELS.get(name, "date")
    parts = _DAY.fullmatch(text)
    try:
        year, month, day = (int(part or 0) for part in parts.groups()) if parts else (0, 0, 0)
        first = date(year, month or 1, day or 1)
    except ValueError:
        what = f"There is no date {text}. " if parts else ""
        message = f"{what}Enter the {label} as YYYY-MM-DD, for example 2020-01-31."
        raise ValidationError(_add_label(name, message)) from None
    takes_last = name == "realtime_end" and not day
    found = _find_last_day(first, month or 12) if takes_last else first
    # Of future days only the last one is valid, and only as the end of a period: it means an open end.
    if FIRST_DAY <= found <= timezone.localdate() or (name, found) == ("realtime_end", LAST_DAY):
        return found
    raise ValidationError(_add_label(name, f"Choose a {label} between {FIRST_DAY} and today."))


def _find_last_day(first: date, month: int) -> date:
    """Return the last day of a month or year that begins on `first`: today, where it has not ended yet."""
    last, today = date(first.year, month, monthrange(first.year, month)[1]), timezone.localdate()
    return min(last, today) if first <= today else last


def find_conflicts(data: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the parameters that a link gives more than once with different values."""
    return [name for name in names if isinstance(data, QueryDict) and len(set(data.getlist(name))) > 1]
