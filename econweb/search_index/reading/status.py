"""Progress of the index of tags, for administrators and the page about this site."""

from datetime import datetime, timedelta

from django.conf import settings

from econweb.label_book.lookup import known_numbers
from econweb.search_index.models import ReaderState, UnreadOwner
from econweb.search_index.reading.lease import is_held
from econweb.search_index.reading.reader import may_read
from econweb.search_index.tags import tag_index
from econweb.upstream import clock

# The failures that a status names.
MAX_UNREAD = 20
UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def describe_coverage() -> str:
    """Return one sentence about how many of the known categories and releases were read."""
    if not settings.ECON_MAY_STORE:
        return "This site may not store what the provider sends, so it does not know where tags occur."
    found = tag_index.coverage()
    if not found.known:
        return "This site reads the categories and releases that have a name here, and none has one yet."
    if found.known == 1 and found.oldest:
        return f"The only known category or release was read {_ago(found.oldest)}."
    known = f"Of {found.known:,} known categories and releases"
    if not found.oldest:
        return f"{known} none was read yet.{' Try again in a few minutes.' if may_read() else ''}"
    return f"{known} {found.read:,} {'was' if found.read == 1 else 'were'} read, the oldest {_ago(found.oldest)}."


def status_lines() -> list[str]:
    if not settings.ECON_MAY_STORE:
        return ["There is no index of tags: ECON_MAY_STORE is false."]
    lines = [describe_coverage()]
    if not may_read():
        lines.append("Nothing is read: ECON_BACKGROUND_SHARE is 0.")
    elif is_held():
        lines.append("A process is reading.")
    state = ReaderState.objects.first()
    if state and state.failing_since:
        lines.append(f"The service has failed for {_age(state.failing_since)} ({state.failure}).")
    # A deleted name leaves its row, which nobody reads again.
    known = known_numbers() | tag_index.fetch_times().keys()
    unread = [
        one for one in UnreadOwner.objects.order_by("-retry_at", "kind", "number") if (one.kind, one.number) in known
    ]
    lines += [
        f"{one.kind} {one.number} could not be read ({one.failure}); the next attempt is in {_age(one.retry_at)}."
        for one in unread[:MAX_UNREAD]
    ]
    if len(unread) > MAX_UNREAD:
        lines.append(f"{len(unread) - MAX_UNREAD:,} more could not be read.")
    return lines


def _ago(moment: datetime) -> str:
    """Return the age of what a page shows, which is rendered again when the text changes."""
    return "less than a minute ago" if clock.utc_now() - moment < timedelta(minutes=1) else f"{_age(moment)} ago"


def _age(moment: datetime) -> str:
    """Return the time between the moment and now, in its largest unit."""
    seconds = abs((clock.utc_now() - moment).total_seconds())
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    number = int(seconds // size)
    return f"{number} {unit}{'' if number == 1 else 's'}"
