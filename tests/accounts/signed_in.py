"""People who have signed in with a password, and the clock by which their sessions end."""

import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from econweb.upstream import clock

PASSWORD = "seven green trams at noon"
HOURS, DAYS = 3600, 86400


def signed_in(name: str = "ada", browser: str = "Browser/1") -> Client:
    if not User.objects.filter(username=name).exists():
        User.objects.create_superuser(name, password=PASSWORD)
    client = Client(headers={"User-Agent": browser})
    assert client.post("/sign-in/", {"username": name, "password": PASSWORD}).status_code == 302
    return client


def put_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Move the time of day, and the clock of this program that cannot be set back."""
    moment, seconds_since_1970, steady = timezone.now(), time.time(), clock.steady
    monkeypatch.setattr(timezone, "now", lambda: moment + timedelta(seconds=seconds))
    monkeypatch.setattr(time, "time", lambda: seconds_since_1970 + seconds)
    monkeypatch.setattr(clock, "steady", lambda: steady() + seconds)
