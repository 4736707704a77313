"""Tables of the library: saved views, frozen copies and their content, and the random ids of rows."""

import secrets

from django.db import models
from django.http import QueryDict
from django.urls import ResolverMatch, resolve
from django.utils import timezone
from django.utils.functional import cached_property

from econweb.accounts.models import MAX_PERSON

# Who may see a saved view or a frozen copy.
ME, SIGNED_IN, EVERYONE = "me", "signed-in", "everyone"
AUDIENCES = (ME, SIGNED_IN, EVERYONE)
MAX_SLUG, MAX_TITLE, MAX_NOTE, MAX_TARGET = 60, 200, 500, 2000
# Of a category or release, as in the label book.
MAX_OWNER_NAME = 200
# An id in letters of Crockford's base 32; the thirteen of a frozen copy are 65 random bits.
ID_LENGTH = 13
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Letters that readers take for digits.
_ALIKE = str.maketrans("oil", "011")


def new_id(length: int = ID_LENGTH) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def read_id(text: str) -> str:
    """Return the id that a person may have typed from paper."""
    return text.lower().translate(_ALIKE)


class SavedView(models.Model):
    """A view with a name; the row of a removed one stays, so that its slug never means another view."""

    slug = models.CharField(max_length=MAX_SLUG, primary_key=True)
    title = models.CharField(max_length=MAX_TITLE)
    note = models.CharField(max_length=MAX_NOTE)
    # `tags`, `series`, `list` or `compare`.
    kind = models.CharField(max_length=10)
    # The canonical link of the view.
    target = models.CharField(max_length=MAX_TARGET)
    person = models.CharField(max_length=MAX_PERSON, db_index=True)
    audience = models.CharField(max_length=10)
    is_pinned = models.BooleanField(default=False)
    created = models.DateTimeField()
    changed = models.DateTimeField()
    # The day on which somebody opened it last.
    opened = models.DateField(null=True)
    removed = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.title


class Body(models.Model):
    """The records of one or more frozen copies: their canonical form, compressed, under its digest."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    packed = models.BinaryField()
    size = models.PositiveIntegerField()

    def __str__(self) -> str:
        return self.sha256


class CopyQuerySet(models.QuerySet["FrozenCopy"]):
    def kept(self) -> "CopyQuerySet":
        """Return the copies that are not gone, by the same rule as `FrozenCopy.is_gone`."""
        return self.exclude(expires__lte=timezone.now()).filter(withdrawn=None)


class FrozenCopy(models.Model):
    """A view as it was at one moment. Its content never changes; a row without a body proves only what it was."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    title = models.CharField(max_length=MAX_TITLE)
    reason = models.CharField(max_length=MAX_NOTE)
    # `tags`, `series` or `list`.
    kind = models.CharField(max_length=10)
    target = models.CharField(max_length=MAX_TARGET, db_index=True)
    person = models.CharField(max_length=MAX_PERSON, db_index=True)
    audience = models.CharField(max_length=10)
    created = models.DateTimeField()
    # When somebody changed what is said about it.
    changed = models.DateTimeField()
    expires = models.DateTimeField(null=True, db_index=True)
    withdrawn = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=MAX_PERSON)
    withdrawn_reason = models.CharField(max_length=MAX_NOTE)
    # What was asked, of whom, and when it answered.
    service = models.TextField()
    realtime_start = models.DateField()
    realtime_end = models.DateField()
    fetched = models.DateTimeField()
    # The number of series behind tags; None where the counts do not agree.
    series = models.BigIntegerField(null=True)
    warnings = models.TextField()
    # The ids of a list that could not be loaded, each with the reason, in lines.
    missing = models.TextField()
    is_complete = models.BooleanField()
    # The number of the canonical form, and digests of the complete set and of the rows of the view.
    form = models.PositiveSmallIntegerField()
    rows = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    view_rows = models.PositiveIntegerField()
    view_sha256 = models.CharField(max_length=64)
    # None where nothing may be stored, and after a withdrawal or the end of its time.
    body = models.ForeignKey(Body, null=True, on_delete=models.PROTECT)
    # Whether the embedded service had the sample; no copy says so that was frozen before econweb knew it.
    is_sample = models.BooleanField(default=False, db_default=False)
    # The name of the category or release at the freezing; empty where it had none, or none was kept.
    owner_name = models.CharField(max_length=MAX_OWNER_NAME, default="", db_default="")

    objects = CopyQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title

    @cached_property
    def page(self) -> ResolverMatch:
        """Return the page of the view, or raise Resolver404."""
        return resolve(self.target.partition("?")[0])

    @cached_property
    def parameters(self) -> QueryDict:
        """Return the parameters of the view."""
        return QueryDict(self.target.partition("?")[2])

    @property
    def search_text(self) -> str:
        """Return the words by which the service found the tags of the view."""
        return self.parameters.get("search_text", "")

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()

    @property
    def is_gone(self) -> bool:
        return self.withdrawn is not None or self.is_expired
