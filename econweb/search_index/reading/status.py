"""Progress of the index of tags, for administrators and the page about this site."""

from datetime import datetime

from django.conf import settings

from econweb.search_index.models import ReaderState, UnreadOwner
from econweb.search_index.reading import plan
from econweb.search_index.reading.lease import is_held
from econweb.search_index.reading.reader import may_read
from econweb.search_index.tags import tag_index

UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def describe_coverage() -> str:
    """Return one sentence without its full stop; empty if nothing is or may be in the index."""
    found = tag_index.coverage()
    if not settings.ECON_MAY_STORE or not found.known:
        return ""
    read = f"{found.read:,} of {found.known:,} known categories and releases were read"
    return f"{read}, the oldest {_age(found.oldest)} ago" if found.oldest else read


def status_lines() -> list[str]:
    if not settings.ECON_MAY_STORE:
        return ["There is no index of tags: ECON_MAY_STORE is false."]
    lines = [f"{describe_coverage() or 'No category or release is known'}."]
    if not may_read():
        lines.append("Nothing is read: ECON_BACKGROUND_SHARE is 0.")
    elif is_held():
        lines.append("A process is reading.")
    state = ReaderState.objects.first()
    if state and state.failing_since:
        lines.append(f"The service has failed for {_age(state.failing_since)} ({state.failure}).")
    return lines + [
        f"{one.kind} {one.number} could not be read ({one.failure}); the next attempt is in {_age(one.retry_at)}."
        for one in UnreadOwner.objects.order_by("-retry_at", "kind", "number")[:20]
    ]


def _age(moment: datetime) -> str:
    """Return the time between the moment and now, in its largest unit."""
    seconds = abs((plan.now() - moment).total_seconds())
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size), UNITS[-1])
    number = int(seconds // size)
    return f"{number} {unit}{'' if number == 1 else 's'}"
