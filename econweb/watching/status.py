"""The state of watching, for administrators."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from econweb.watching.models import Announcement, WatchedSource
from econweb.watching.watcher import EXTERNAL, OFF, may_watch

MAX_FAILING = 20
# A look that waits for longer is a finding of `manage.py doctor`, and an alert (docs/monitoring/alerts.yml).
OVERDUE = timedelta(hours=6)


def waits_since() -> datetime | None:
    """Return when the look was due that waits for the longest time; None where none waits, or nothing is looked at."""
    if not may_watch():
        return None
    due = WatchedSource.objects.filter(due__lte=timezone.now()).order_by("due")
    return due.values_list("due", flat=True).first()


def status_lines() -> list[str]:
    now = timezone.now()
    followed = WatchedSource.objects.exclude(due=None)
    found = followed.aggregate(
        sources=Count("pk"),
        overdue=Count("pk", filter=Q(due__lte=now)),
        oldest=Min("due"),
        unknown=Count("pk", filter=Q(state_at=None)),
        changes=Count("pk", filter=Q(candidate__isnull=False, state_at__isnull=False)),
        newest=Max("state_at"),
        held=Count("pk", filter=Q(held_until__gt=now)),
    )
    if not found["sources"]:
        return [*_mode(), "Nobody follows anything."]
    lines = [
        *_mode(),
        f"Followed sources: {found['sources']:,}. Due: {found['overdue']:,}.",
        f"Without a confirmed state: {found['unknown']:,}. Changes that wait for a second look: {found['changes']:,}.",
        f"The last look that agreed: {_moment(found['newest'])}. News: {Announcement.objects.count():,}.",
    ]
    if found["oldest"] < now - timedelta(minutes=10):
        lines.append(f"The longest wait is since {_moment(found['oldest'])}.")
    if found["held"]:
        lines.append(f"Processes that look now: {found['held']}.")
    failing = followed.filter(failures__gt=0).order_by("-failures", "pk")
    lines += [
        f"{one} failed {one.failures} time{'' if one.failures == 1 else 's'} ({one.failure}), next {_moment(one.due)}."
        for one in failing[:MAX_FAILING]
    ]
    return lines


def _mode() -> list[str]:
    if not may_watch():
        return [f"Nothing is looked at: {'WATCH is off' if settings.WATCH == OFF else 'ECON_BACKGROUND_SHARE is 0'}."]
    return ["`manage.py watch --once` looks, and `serve` does not."] if settings.WATCH == EXTERNAL else []


def _moment(moment: datetime | None) -> str:
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}" if moment else "none"
