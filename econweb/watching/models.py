"""Tables of watching: what people follow, the last state of each source, and the changes that were confirmed."""

import json

from django.conf import settings
from django.db import models

from econweb.accounts.models import MAX_PERSON
from econweb.library.models import MAX_TARGET

# The kinds of watches; that of a source is `series`, `category` or `release`.
SERIES, LIST, TAGS = "series", "list", "tags"
# The kinds of announcements.
CHANGED, RENAMED, DISCONTINUED, GONE, BACK = "changed", "renamed", "discontinued", "gone", "back"
# The field of a fact that says whether a tag, or with an empty name the whole source, is there.
PRESENCE = "presence"


class WatchedSource(models.Model):
    """A series, category or release that somebody follows; its row is its place in the queue of looks."""

    kind = models.CharField(max_length=10)
    # The id of the series, or the number of the category or release.
    key = models.CharField(max_length=50)
    # The address of the service that the state came from: another service starts again.
    service = models.TextField()
    # When the next look is due; None while nobody follows the source, which stays for its news (retention.py).
    due = models.DateTimeField(null=True, db_index=True)
    # Days between one and seven: fewer for a source that changes often.
    interval = models.FloatField()
    # The claim of the process that looks at it, and until when no other one may.
    holder = models.CharField(max_length=32, blank=True)
    held_until = models.DateTimeField(null=True)
    # The known state, and the last look that agreed with it; None before there is a first one (judge.py).
    state = models.BinaryField(null=True)
    state_at = models.DateTimeField(null=True, db_column="looked")
    # Another state that waits for a second look, and when it was seen first.
    candidate = models.BinaryField(null=True)
    candidate_at = models.DateTimeField(null=True, db_column="seen")
    # Looks in a row that failed, and the name of the last error.
    failures = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=50, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "key"], name="one_row_per_source"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Announcement(models.Model):
    """A change of a source that a second look confirmed; the ids are the order of news."""

    source = models.ForeignKey(WatchedSource, on_delete=models.CASCADE)
    # What happened: one of the kinds above.
    kind = models.CharField(max_length=20)
    # The last look with the former state, the first with the new one, and the look that confirmed it.
    before = models.DateTimeField()
    seen = models.DateTimeField()
    confirmed = models.DateTimeField(db_index=True)
    # The number of facts that changed; they are stored where the site may store what the service sends.
    facts = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.source_id} {self.kind} {self.confirmed}"


class ChangedFact(models.Model):
    """One thing of an announcement: what it is, from what, to what."""

    announcement = models.ForeignKey(Announcement, on_delete=models.CASCADE)
    # The name and the group of a tag; both are empty for a series and for the source itself.
    name = models.TextField(blank=True)
    group = models.TextField(blank=True)
    # `presence`, a field of the record such as `title`, or `group_id` of a tag that moved.
    field = models.CharField(max_length=30)
    # None where there is nothing: the former state of a new tag, or the new one of a tag that is gone.
    before = models.TextField(null=True)
    after = models.TextField(null=True)

    def __str__(self) -> str:
        return f"{self.name} {self.field}"


class Watch(models.Model):
    """A person who follows a series, a list, a category or a release; filters are part of the link."""

    person = models.CharField(max_length=MAX_PERSON, db_index=True)
    # A deleted account takes its watches along: a new one of the same name inherits nothing. None where there are none.
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE)
    # `series`, `list` or `tags`.
    kind = models.CharField(max_length=10)
    # The canonical link of the view.
    target = models.CharField(max_length=MAX_TARGET)
    created = models.DateTimeField()
    sources = models.ManyToManyField(WatchedSource)
    # The news of this watch: those whose facts its filters let through.
    news = models.ManyToManyField(Announcement)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["person", "target"], name="one_watch_per_view"),)

    def __str__(self) -> str:
        return f"{self.person} {self.target}"


class EndedWatch(models.Model):
    """A watch that its person has just ended, for the undo. No other row refers to it, and it refers to none."""

    person = models.CharField(max_length=MAX_PERSON, db_index=True)
    account = models.BigIntegerField(null=True)
    target = models.CharField(max_length=MAX_TARGET)
    created = models.DateTimeField()
    ended = models.DateTimeField(db_index=True)
    # The ids of the announcements that the watch had, as JSON. The check of a JSONField opens a database that may not
    # be there yet.
    news_json = models.TextField()

    @property
    def news(self) -> list[int]:
        found: list[int] = json.loads(self.news_json)
        return found

    def __str__(self) -> str:
        return f"{self.person} {self.target}"


class Subscription(models.Model):
    """The feed and the weekly mail of a person."""

    person = models.CharField(max_length=MAX_PERSON, unique=True)
    # The id of the account, so that a new account of the same name inherits nothing; None where there are none.
    account = models.BigIntegerField(null=True)
    # A digest of the token in the address of the feed; None where the feed is off.
    feed = models.CharField(max_length=64, null=True, unique=True)
    has_mail = models.BooleanField(default=False)
    # The end of the news that the mail server has surely accepted, or that need no mail.
    told = models.DateTimeField()
    # The Monday of the last mail that a process began to send: it is never sent again.
    week = models.DateField(null=True)
    # No mail is tried before; each refusal of the address doubles the wait.
    due = models.DateTimeField(db_index=True)
    refusals = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return self.person
