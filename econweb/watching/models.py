"""Tables of watching: what people follow, the last state of each source, and the changes that were confirmed."""

from django.db import models

# The length of a person's name and of a link, as in the library.
MAX_PERSON, MAX_TARGET = 150, 2000
SERIES, CATEGORY, RELEASE = "series", "category", "release"


class WatchedSource(models.Model):
    """A series, category or release that somebody follows; its row is its place in the queue of looks."""

    kind = models.CharField(max_length=10)
    # The id of the series, or the number of the category or release.
    key = models.CharField(max_length=50)
    # The address of the service that the state came from: another service starts again.
    service = models.CharField(max_length=200)
    due = models.DateTimeField(db_index=True)
    # Between one and seven days: shorter for a source that changes often.
    interval = models.FloatField()
    # The process that looks at it, and until when no other one may.
    holder = models.CharField(max_length=32)
    held_until = models.DateTimeField(null=True)
    # The confirmed state, and when it was seen last; None before the first look.
    state = models.BinaryField(null=True)
    looked = models.DateTimeField(null=True)
    # Another state that waits for a second look, and when it was seen first.
    candidate = models.BinaryField(null=True)
    seen = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=50)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "key"], name="one_row_per_source"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Announcement(models.Model):
    """A change of a source that a second look confirmed; the ids are the order of news."""

    source = models.ForeignKey(WatchedSource, on_delete=models.CASCADE)
    # What happened: `changed`, `renamed`, `discontinued`, `gone` or `back`.
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
    # The name and the group of a tag; both are empty for a series.
    name = models.CharField(max_length=500)
    group = models.CharField(max_length=100)
    # A field such as `title`, or `presence`.
    field = models.CharField(max_length=30)
    # None where there is nothing: the former state of a new tag, or the new one of a tag that is gone.
    before = models.TextField(null=True)
    after = models.TextField(null=True)

    def __str__(self) -> str:
        return f"{self.name} {self.field}"


class Watch(models.Model):
    """A person who follows a series, a list, a category or a release; filters are part of the link."""

    person = models.CharField(max_length=MAX_PERSON, db_index=True)
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
