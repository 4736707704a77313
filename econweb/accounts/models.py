"""The tables of sign-in."""

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class SignInTries(models.Model):
    """Tries of one account, of one client, or of a known client of one account; the key is a digest."""

    key = models.CharField(max_length=64, primary_key=True)
    tries = models.PositiveIntegerField(default=0)
    paused_until = models.DateTimeField()
    expires = models.DateTimeField(db_index=True)


class Session(AbstractBaseSession):
    """A session and its user, so that a user's sessions can be found."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True)
