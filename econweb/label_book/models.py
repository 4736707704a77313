"""Names for the numbers of categories and releases; the service gives none."""

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models

from econweb.label_book.folding import fold, is_blank

# Control characters, line separators and bidirectional controls.
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
NOT_IN_A_LINE = rf"[{_CONTROLS}\t\n\r]"
_NO_CONTROLS = "Remove the invisible character."
# Programs write it in the place of a letter that they could not read, and no search accepts it.
_NO_LOST_LETTER = RegexValidator("\ufffd", "A letter was lost at “\ufffd”. Enter it again.", inverse_match=True)
MAX_WORDS = 600
MAX_NUMBER = 999_999_999


def check_words(name: str) -> None:
    """Reject a name of which nothing is seen, and one whose folded form is too long: one letter may fold to 18."""
    if is_blank(name):
        raise ValidationError("This field is required.")
    if len(fold(name)) > MAX_WORDS:
        raise ValidationError("It is too long to be searched. Shorten it.")


class Label(models.Model):
    """A name and a note for one category or release."""

    KINDS = (("category", "Category"), ("release", "Release"))

    kind = models.CharField(max_length=8, choices=KINDS)
    # Django keeps the name `id` for the primary key.
    number = models.PositiveBigIntegerField(
        "id", validators=[MaxValueValidator(MAX_NUMBER)], help_text="The category_id or the release_id."
    )
    name = models.CharField(
        max_length=200,
        validators=[RegexValidator(NOT_IN_A_LINE, _NO_CONTROLS, inverse_match=True), _NO_LOST_LETTER, check_words],
    )
    note = models.TextField(
        blank=True,
        validators=[RegexValidator(f"[{_CONTROLS}]", _NO_CONTROLS, inverse_match=True), _NO_LOST_LETTER],
    )
    # Categories form a tree (tree.py checks it).
    parent = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(MAX_NUMBER)],
        help_text="The id of the category that this one is part of; empty at the top.",
    )
    # Set by the admin and by imports, so that a load of a catalogue keeps the label.
    # None: stored before this field was.
    is_edited = models.BooleanField(null=True, default=True, editable=False)
    # The folded name; `prepare` derives it.
    words = models.CharField(max_length=MAX_WORDS, editable=False)
    # Random at each write, so that a stale snapshot is recognised (snapshot.py).
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
        """Set the derived fields; bulk_create skips save() and calls this itself."""
        self.words = fold(self.name)
        # The sum of a million revisions fits into 64 bits.
        self.revision = secrets.randbits(40)
