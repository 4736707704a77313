"""What the embedded service keeps: one edition of the catalogue, and the keys that may ask for it."""

from datetime import date

from django.db import models

# Another number when the tables hold the same files in another way: then they are loaded again.
FORMAT = "4"


class Edition(models.Model):
    """The catalogue that is being served: one row, or none before the first load."""

    # Another one at each load: whoever holds something in memory sees by it that the tables were replaced.
    identity = models.CharField(max_length=32, primary_key=True)
    # The format, and of what was loaded: the same files are not loaded twice.
    digest = models.CharField(max_length=80)
    loaded = models.DateTimeField()

    def __str__(self) -> str:
        return f"loaded {self.loaded:%Y-%m-%d %H:%M}"


class Tag(models.Model):
    """Spec 2.4, but for `series_count`, which belongs to an owner."""

    # The place in the order of names: what is sorted by number first has its ties by name.
    number = models.PositiveIntegerField(primary_key=True)
    name = models.TextField()
    group_id = models.TextField()
    notes = models.TextField()
    created = models.TextField()
    popularity = models.IntegerField()

    def __str__(self) -> str:
        return self.name


class Owner(models.Model):
    """A category or a release, with its tags counted ready (`counts.py`)."""

    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    # Stays off the wire: the contract knows ids only (spec 2.6).
    name = models.TextField()
    counts = models.BinaryField()
    history = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "number"], name="one_owner_a_number"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Chapter(models.Model):
    """Some series of an owner in the order in which they began, or ended (`counts.py`)."""

    kind = models.CharField(max_length=8)
    number = models.PositiveIntegerField()
    # `begun` or `ended`: a boolean would be left out of the index by SQLite.
    tale = models.CharField(max_length=5)
    # An ordinal, as in the chapter itself; one day may fill several chapters.
    first_day = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    series = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "number", "tale", "first_day", "place"], name="one_chapter_a_place"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.number} from {date.fromordinal(self.first_day)}"


class SeriesVersion(models.Model):
    """Spec 2.2, each column under the spec's name but for `id`; one row for each version of a description."""

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
        constraints = (
            models.UniqueConstraint(fields=["series_id", "realtime_start"], name="one_version_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.series_id} from {self.realtime_start}"


class ApiKey(models.Model):
    """Spec 5; the key itself is kept nowhere."""

    label = models.CharField(max_length=100, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.label
