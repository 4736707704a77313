"""Jinja filters that format values."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime

from django.utils import timezone
from markupsafe import Markup, escape

from econweb.upstream.queries import join_names

_DAY = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")


def as_text(value: object) -> str:
    """Show a difference between an absent and an empty text."""
    return "not given" if value is None else str(value) or "blank"


def day(moment: date | None) -> str:
    """Format a date, or the day of a moment in UTC; the last date means that a period has not ended."""
    if isinstance(moment, datetime):
        moment = moment.astimezone(UTC).date()
    return "today" if moment == date.max else str(moment or "")


def duration(seconds: float) -> str:
    """Format seconds, in hours or minutes where these are whole numbers."""
    for size, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def age(moment: datetime) -> str:
    """Say how long ago it was, in days, hours or minutes."""
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    for least, size, unit in ((48 * 60, 24 * 60, "day"), (120, 60, "hour"), (1, 1, "minute")):
        if minutes >= least:
            number = minutes // size
            return f"{number:,} {unit}{plural(number)} ago"
    return "less than a minute ago"


def grouped(number: int) -> str:
    """Format a number with separators, such as 1,234."""
    return f"{number:,}"


def signed(number: float) -> str:
    """Format a difference with its sign, and no difference without one; counts stay whole numbers."""
    text = f"{number:+,}" if isinstance(number, int) else f"{number:+z,.1f}"
    return text.lstrip("+") if not float(text.replace(",", "")) else text.replace("-", "\N{MINUS SIGN}")


def first_names(names: Sequence[str], most: int) -> str:
    """Return the first names, and a sign where there are more."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def sentence(text: str) -> str:
    """Begin with a capital letter, and leave the other letters as they are."""
    return text[:1].upper() + text[1:]


def plural(number: int) -> str:
    return "" if number == 1 else "s"


def lines(text: str) -> Markup:
    return Markup("<br>").join(escape(line) for line in text.splitlines())


def unbroken(text: str) -> Markup:
    """Keep each date in a text on one line."""
    return Markup(_DAY.sub(r"<time>\g<0></time>", str(escape(text))))  # noqa: S704  the text is escaped


def one_name(name: str) -> str:
    return join_names((name,))


def percent(share: float) -> str:
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def whole_percent(part: int, whole: int) -> str:
    """Format a share in whole percent for HTML; a small one is not zero, and only all of them are 100 %."""
    share = 100 * part / whole
    if 0 < share < 1:
        return "&lt;1 %"
    return f"{99 if 99 < share < 100 else round(share)} %"
