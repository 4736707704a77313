"""Overdue looks at what people follow, as `manage.py doctor` names them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from econweb.doctor.database_checks import check_looks
from econweb.doctor.findings import Level
from econweb.management.commands import doctor
from econweb.watching.models import WatchedSource
from tests.watching.looks import World

pytestmark = pytest.mark.django_db(transaction=True)


def test_doctor_names_looks_that_are_overdue(settings: Settings) -> None:
    row = World().follow("A")
    WatchedSource.objects.filter(pk=row.pk).update(due=timezone.now() - timedelta(hours=5))
    assert [one.level for one in check_looks()] == [Level.GOOD]
    WatchedSource.objects.filter(pk=row.pk).update(due=datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
    (found,) = check_looks()
    settings.WATCH = "off"

    assert (found.level, found.topic) == (Level.WARNING, "followed")
    assert found.text.startswith("looks have waited since 2026-01-02 03:04: see `manage.py watch --status`")
    assert [one.level for one in check_looks()] == [Level.GOOD]
    assert check_looks in doctor._checks("")
