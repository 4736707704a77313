"""Tables of the index: titles of series, for which `titles/full_text.py` adds full-text search, and tags by owner."""

from django.db import models


class SeriesTitle(models.Model):
    """A series that can be found by words."""

    # Its order among all results, and its frequency, adjustment and end in the same number (`titles/places.py`).
    place = models.BigIntegerField(primary_key=True)
    series_id = models.CharField(max_length=25, unique=True)
    title = models.TextField()
    frequency = models.TextField()
    seasonal_adjustment = models.TextField()
    units = models.TextField()
    popularity = models.IntegerField()
    # `catalogue`, `fetched` or `imported`.
    source = models.CharField(max_length=9)
    # Equal for series that differ in their adjustment alone (`titles/twins.py`); none where too little is known.
    twin_key = models.BigIntegerField(null=True)

    class Meta:
        indexes = (models.Index(fields=["twin_key", "place"], name="title_by_twin_key"),)


class ImportedTitle(models.Model):
    """A title that an operator imported: it is in the index as long as the service has said none."""

    series_id = models.CharField(max_length=25, primary_key=True)
    title = models.TextField()


class Word(models.Model):
    """A word of the titles, with the number of titles that have it."""

    word = models.CharField(max_length=64, primary_key=True)
    uses = models.IntegerField()


class IndexState(models.Model):
    """The state of the index: one row."""

    # New at each change, so that a process sees when its cached pages are stale.
    revision = models.PositiveBigIntegerField(default=0)
    # The number of the next title, which keeps places apart.
    serial = models.PositiveBigIntegerField(default=0)
    # The catalogue whose titles are in the index, and the service whose series are; empty for none.
    catalogue = models.CharField(max_length=80, default="")
    service = models.CharField(max_length=32, default="")
    # The loaded catalogue, also where its titles are not in the index, and whether it is the sample.
    edition = models.CharField(max_length=32, db_default="")
    has_sample = models.BooleanField(db_default=False)


class TaggedOwner(models.Model):
    """A category or release whose tags are in the index, with its shares of series in ten-thousandths."""

    # Rows of another generation than that of the state belong to a rebuild under way, or to an old one.
    generation = models.SmallIntegerField()
    # Its tags are in the rows of this block (`OccurrenceBlock`).
    block = models.BigIntegerField()
    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    fetched = models.DateTimeField()
    tags = models.PositiveIntegerField()
    # None if the service's counts do not agree on it; then shares are of the largest count.
    series = models.PositiveBigIntegerField(null=True)
    daily = models.SmallIntegerField()
    weekly = models.SmallIntegerField()
    monthly = models.SmallIntegerField()
    quarterly = models.SmallIntegerField()
    annual = models.SmallIntegerField()
    adjusted = models.SmallIntegerField()
    discontinued = models.SmallIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["generation", "kind", "number"], name="one_owner_a_generation"),)


# Category 0, the root of all others, is in no table and no count where it has no tags of its own.
EMPTY_ROOT = models.Q(kind="category", number=0, tags=0)


class IndexedTag(models.Model):
    """A tag as it was last seen."""

    name = models.CharField(max_length=500, unique=True)
    group_id = models.CharField(max_length=100)
    popularity = models.BigIntegerField()
    notes = models.TextField(null=True)


class OccurrenceBlock(models.Model):
    """A tag of the categories and releases that were recorded together."""

    generation = models.SmallIntegerField()
    # The owners of a block have its number.
    block = models.BigIntegerField()
    tag = models.ForeignKey(IndexedTag, models.CASCADE, db_index=False)
    owners = models.PositiveIntegerField()
    # The owners that have the tag, each with its number and share of series (`tags/blocks.py`).
    packed = models.BinaryField()

    class Meta:
        indexes = (
            models.Index(fields=["tag", "generation", "owners"], name="block_by_tag"),
            models.Index(fields=["block"], name="block_by_number"),
        )


class TagIndexState(models.Model):
    """The valid generation of the index of tags: one row."""

    generation = models.SmallIntegerField(default=0)
    # New at each change of a tag or count, so that a process sees when what it has built is stale.
    revision = models.PositiveBigIntegerField(default=0)
    # A digest of the service's address; empty for the embedded one.
    service = models.CharField(max_length=32, default="")


class ReaderState(models.Model):
    """The reader of the index of tags, of which all workers and hosts run one: one row."""

    # The process that reads, and until when all others leave it to that one.
    holder = models.CharField(max_length=32, default="")
    held_until = models.FloatField(default=0)
    # The catalogue and the day of the index, and those of the rebuild that is under way in this generation.
    edition = models.CharField(max_length=100, default="")
    rebuilding = models.CharField(max_length=100, default="")
    generation = models.SmallIntegerField(default=0)
    # The name of the last failure of the service as a whole, and since when requests fail; empty for none.
    failure = models.CharField(max_length=32, default="")
    failing_since = models.DateTimeField(null=True)


class UnreadOwner(models.Model):
    """A category or release whose tags could not be read."""

    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    failures = models.PositiveSmallIntegerField()
    # The name of the last failure: a text of the service may not outlive the caches.
    failure = models.CharField(max_length=32)
    retry_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "number"], name="one_unread_owner"),)
