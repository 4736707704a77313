"""The sentence about the coverage of the index of tags."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from econweb.dashboard.rendering.filters import plural
from econweb.search_index.tags.tag_index import coverage

NOT_STORED = "This site may not store what the provider sends, so it does not know where tags occur."


def coverage_in_words() -> str:
    """Say how many categories and releases the index has of those that are known, and how old it is."""
    if not settings.ECON_MAY_STORE:
        return NOT_STORED
    found = coverage()
    if not found.oldest:
        return f"Of {found.known:,} known categories and releases none was read yet. Try again in a few minutes."
    read = f"{found.read:,} {'was' if found.read == 1 else 'were'} read"
    return f"Of {found.known:,} known categories and releases {read}, the oldest {_age(found.oldest)}."


def _age(moment: datetime) -> str:
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    for size, unit in ((48 * 60, "day"), (120, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // {"day": 24 * 60, "hour": 60, "minute": 1}[unit]
            return f"{number:,} {unit}{plural(number)} ago"
    return "less than a minute ago"
