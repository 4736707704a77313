"""Checks of single fields; each returns what is wrong with the value, or None."""

import re
from collections.abc import Callable, Container
from datetime import date, datetime
from unicodedata import is_normalized

from econweb.catalogue.parameters import FIRST_DAY, GROUPS, MAX_NUMBER, is_printable

Check = Callable[[str], str | None]
# XML 1.0 cannot represent these, not even escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(value: str) -> str | None:
    return any_text(value) if value.strip() else "is empty" if not value else "has only spaces"


def any_text(value: str) -> str | None:
    found = _NOT_IN_XML.search(value)
    return f"has the character U+{ord(found[0]):04X}, which XML cannot represent" if found else None


def series_id(value: str) -> str | None:
    return None if re.fullmatch("[A-Z0-9_]{1,25}", value) else "is not one to 25 of A-Z, 0-9 and _"


def tag_name(value: str) -> str | None:
    if not is_printable(value) or value != value.strip():
        return "begins or ends with a space, or has a character that no request can hold"
    if ";" in value or not is_normalized("NFC", value):
        return "has a semicolon, or is not in the composed form of Unicode (NFC)"
    return text(value)


def group_id(value: str) -> str | None:
    return None if value in GROUPS else f"is not one of {', '.join(GROUPS)}"


def day(value: str) -> str | None:
    if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value) and _is_readable(date.fromisoformat, value):
        return None
    return "is not a day written YYYY-MM-DD"


def realtime_day(value: str) -> str | None:
    # ISO dates of equal length compare as text.
    return day(value) or (f"is before {FIRST_DAY}" if value < str(FIRST_DAY) else None)


def timestamp(value: str) -> str | None:
    shape = "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}"
    if not re.fullmatch(shape, value) or not _is_readable(datetime.fromisoformat, value):
        return "is not a time written YYYY-MM-DD HH:MM:SS and an offset of two digits"
    return None if -12 <= int(value[-3:]) <= 14 else "has an offset beyond -12 and +14, which no time zone has"


def whole_number(value: str) -> str | None:
    shaped = re.fullmatch("0|-?[1-9][0-9]{0,8}", value)
    return None if shaped else "is not a whole number such as 0 or 12"


def number(value: str) -> str | None:
    # A leading zero would be a second way to write the same id.
    shaped = re.fullmatch("0|[1-9][0-9]{0,8}", value)
    return None if shaped else f"is not a whole number between 0 and {MAX_NUMBER}"


def parent(value: str) -> str | None:
    return number(value) if value else None


def known(values: Container[str]) -> Check:
    return lambda value: None if value in values else "is not in the file that it refers to"


def _is_readable(reader: Callable[[str], object], value: str) -> bool:
    try:
        reader(value)
    except ValueError:
        return False
    return True
