"""Announcements, watches and subscriptions for tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from econweb.accounts.people import account_of
from econweb.watching import subscriptions
from econweb.watching.models import CHANGED, Announcement, ChangedFact, Subscription, Watch, WatchedSource

# A Wednesday, and the Monday after it.
SEEN = datetime(2026, 11, 18, 4, 10, tzinfo=UTC)
MONDAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def an_announcement(
    source: str = "series:GNPCA", kind: str = CHANGED, seen: datetime = SEEN, **facts: tuple[str | None, str | None]
) -> Announcement:
    """Store an announcement; each fact is a field with its value before and after."""
    source_kind, _, key = source.partition(":")
    row, _ = WatchedSource.objects.get_or_create(kind=source_kind, key=key, defaults={"interval": 1.0})
    found = Announcement.objects.create(
        source=row,
        kind=kind,
        before=seen - timedelta(days=1),
        seen=seen,
        confirmed=seen + timedelta(hours=2),
        facts=len(facts) or 1,
    )
    for field, (before, after) in facts.items():
        ChangedFact.objects.create(announcement=found, field=field, before=before, after=after)
    return found


def follow(person: str, *news: Announcement) -> Watch:
    given = {"kind": "series", "created": SEEN, "account_id": account_of(person)}
    watch, _ = Watch.objects.get_or_create(person=person, target=f"/series/{person}/", defaults=given)
    watch.news.add(*news)
    return watch


def a_subscriber(name: str, **fields: Any) -> Subscription:
    """Store an account that gets mails with the news from the day before SEEN on."""
    User.objects.create(username=name, email=f"{name}@example.org")
    subscriptions.begin_mail(name)
    given = {"told": SEEN - timedelta(days=1), "due": SEEN} | fields
    Subscription.objects.filter(person=name).update(**given)
    return Subscription.objects.get(person=name)
