"""Names for the numbers of categories and releases; the service gives none."""

import secrets
from typing import Any

from django.db import models

from econweb.shelf.folding import folded


class Label(models.Model):
    """What people here call one category or one release."""

    KINDS = (("category", "Category"), ("release", "Release"))

    kind = models.CharField(max_length=8, choices=KINDS)
    # Django keeps the name `id` for the primary key.
    number = models.PositiveBigIntegerField("id", help_text="The category_id or the release_id.")
    name = models.CharField(max_length=200)
    note = models.TextField(blank=True)
    # The name as it is searched; written with it, never by hand.
    words = models.CharField(max_length=600, editable=False)
    # Drawn anew with each writing, so that a copy in memory is known to be old (book.py).
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        ordering = ("kind", "number")
        constraints = (models.UniqueConstraint(fields=["kind", "number"], name="one_label_for_an_id"),)

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}: {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.prepare()
        super().save(*args, **kwargs)

    def prepare(self) -> None:
        """Writing many at once passes save() by and calls this itself."""
        self.words = folded(self.name)
        # Sums of a million of these stay within what a database counts in.
        self.revision = secrets.randbits(40)
