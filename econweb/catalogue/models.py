"""Tables of the embedded service: one edition of the catalogue, and the API keys of its clients."""

from django.db import models

# Change it with the form of the tables (tests/catalogue/test_format.py): `conversion.py` converts older ones.
# A number, not a digest of the form: after a change that leaves the stored bytes valid nobody has to load again.
FORMAT = "4"


class Edition(models.Model):
    """The loaded catalogue: one row, or none before the first load."""

    # New at each load, so that a process sees when its snapshot is stale.
    identity = models.CharField(max_length=32, primary_key=True)
    # The format and a digest of the files: the same files are not loaded twice.
    digest = models.CharField(max_length=80)
    loaded = models.DateTimeField()


class Tag(models.Model):
    """A tag without `series_count`, which belongs to an owner."""

    # The position in the order of names, so a stable sort by anything else leaves ties in that order.
    number = models.PositiveIntegerField(primary_key=True)
    name = models.TextField()
    group_id = models.TextField()
    notes = models.TextField()
    created = models.TextField()
    popularity = models.IntegerField()


class Owner(models.Model):
    """A category or a release, with the counts of its tags (`counts.py`)."""

    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    # Never in a reply: the contract knows ids only.
    name = models.TextField()
    counts = models.BinaryField()
    history = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "number"], name="one_owner_a_number"),)


class Checkpoint(models.Model):
    """Some series of an owner in the order in which they started or ended (`counts.py`)."""

    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    # `begun` or `ended`; SQLite would leave a boolean out of the index.
    event = models.CharField(max_length=5, db_column="tale")
    # An ordinal, as in the record itself; one day may fill several checkpoints.
    first_day = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    series = models.BinaryField()

    class Meta:
        db_table = "catalogue_chapter"
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "number", "event", "first_day", "place"], name="one_chapter_a_place"
            ),
        )


class SeriesVersion(models.Model):
    """One version of a series' description; columns have the contract's names except `id`."""

    series_id = models.CharField(max_length=25)
    realtime_start = models.DateField()
    realtime_end = models.DateField()
    title = models.TextField()
    observation_start = models.DateField()
    observation_end = models.DateField()
    frequency = models.TextField()
    frequency_short = models.TextField()
    units = models.TextField()
    units_short = models.TextField()
    seasonal_adjustment = models.TextField()
    seasonal_adjustment_short = models.TextField()
    last_updated = models.TextField()
    popularity = models.IntegerField()
    notes = models.TextField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["series_id", "realtime_start"], name="one_version_a_day"),)


class ApiKey(models.Model):
    """An API key by its digest; the key itself is not stored."""

    label = models.CharField(max_length=100, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True)
