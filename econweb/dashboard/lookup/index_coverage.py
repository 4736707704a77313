"""The sentence about the coverage of the index of tags."""

from django.conf import settings

from econweb.dashboard.rendering.filters import age
from econweb.search_index.reading.reader import may_read
from econweb.search_index.tags.tag_index import coverage

NOT_STORED = "This site may not store what the provider sends, so it does not know where tags occur."


def coverage_in_words() -> str:
    """Say how many categories and releases the index has of those that are known, and how old it is."""
    if not settings.ECON_MAY_STORE:
        return NOT_STORED
    found = coverage()
    if not found.known:
        return "This site reads the categories and releases that have a name here, and none has one yet."
    if not found.oldest:
        wait = " Try again in a few minutes." if may_read() else ""
        return f"Of {found.known:,} known categories and releases none was read yet.{wait}"
    read = f"{found.read:,} {'was' if found.read == 1 else 'were'} read"
    return f"Of {found.known:,} known categories and releases {read}, the oldest {age(found.oldest)}."
