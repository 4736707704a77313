"""A database file that is missing, as `manage.py doctor` describes it."""

from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from econweb.doctor.database_checks import check_tables
from econweb.doctor.findings import Level


@pytest.mark.parametrize("has_served", [False, True])
def test_database_that_was_there_is_not_taken_for_a_new_one(
    has_served: bool, monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    """A start collects static files after it has created the database."""
    file = tmp_path / "econweb.sqlite3"
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    settings.STATIC_ROOT = tmp_path / "static"
    if has_served:
        settings.STATIC_ROOT.mkdir()

    (finding,) = check_tables()

    missing = (Level.ERROR, f"{file} is missing: restore it, or a start creates an empty one")
    unborn = (Level.WARNING, f"{file} is created by the first start")
    assert (finding.level, finding.text) == (missing if has_served else unborn)
