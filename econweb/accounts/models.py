"""The tables of sign-in and of the record of changes."""

import json
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

# The longest name of a person: that of Django's accounts.
MAX_PERSON = 150
# Of the title and the reason in the record of changes.
MAX_TITLE, MAX_REASON = 200, 500


class SignInTries(models.Model):
    """Tries of one account, of one client, or of a browser that an account knows; the key is a digest."""

    key = models.CharField(max_length=64, primary_key=True)
    tries = models.PositiveIntegerField(default=0)
    paused_until = models.DateTimeField()
    expires = models.DateTimeField(db_index=True)


class Session(AbstractBaseSession):
    """A session and its user, so that a user's sessions can be found."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True)


class Identity(models.Model):
    """The account of a person at an OpenID provider, where the subject never changes, but names and addresses may."""

    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["issuer", "subject"], name="identity_of_a_person"),)


class UsedSignIn(models.Model):
    """A sign-in at an OpenID provider that was finished, so that it cannot be repeated; the key is a digest."""

    digest = models.CharField(max_length=64, primary_key=True)
    expires = models.DateTimeField(db_index=True)


class ReadingToken(models.Model):
    """The digest of a token with which a program of a person reads."""

    person = models.CharField(max_length=MAX_PERSON, unique=True)
    # The id of the account, so that a new account of the same name inherits nothing; None where there are none.
    account = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField()


class Change(models.Model):
    """One change of a shared thing; the person's name is copied, so that it survives the account."""

    moment = models.DateTimeField(db_index=True)
    person = models.CharField(max_length=MAX_PERSON)
    request_id = models.CharField(max_length=64)
    verb = models.CharField(max_length=20)
    kind = models.CharField(max_length=20)
    # The name of a person is the longest key.
    key = models.CharField(max_length=MAX_PERSON)
    title = models.CharField(max_length=MAX_TITLE)
    # JSON, or None where the thing was not there. The check of a JSONField opens a database that may not be there yet.
    before_json = models.TextField(null=True)
    after_json = models.TextField(null=True)
    reason = models.CharField(max_length=MAX_REASON)

    @property
    def before(self) -> dict[str, Any] | None:
        return json.loads(self.before_json) if self.before_json else None

    @property
    def after(self) -> dict[str, Any] | None:
        return json.loads(self.after_json) if self.after_json else None

    def differences(self) -> list[tuple[str, object, object]]:
        """Return each field that differs, with its value before and after; None for one that is not there."""
        states = [state or {} for state in (self.before, self.after)]
        before, after = ({name: value for name, value in state.items() if value != ""} for state in states)
        pairs = [(name, before.get(name), after.get(name)) for name in {**before, **after}]
        return [(name, old, new) for name, old, new in pairs if old != new]

    class Meta:
        ordering = ("-moment", "-id")
        indexes = (models.Index(fields=["kind", "key"], name="change_of_a_thing"),)
