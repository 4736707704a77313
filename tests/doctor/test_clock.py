"""The clock, compared with those of others and with the newest file, as `manage.py doctor` does it."""

from pathlib import Path

import pytest
from pytest_django import Settings

from econweb.doctor import machine_checks
from econweb.doctor.findings import Level


@pytest.mark.parametrize(("ahead", "said"), [(100.0, "100 s behind that of x"), (-100.0, "100 s ahead of that of x")])
def test_doctor_compares_clocks(ahead: float, said: str) -> None:
    assert [finding.text for finding in machine_checks.check_clock({"x": ahead, "y": 1.0})] == [said]


def test_file_that_is_gone_tells_no_time(settings: Settings, tmp_path: Path) -> None:
    """The program creates and removes files while the check lists them."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")

    assert [finding.level for finding in machine_checks.check_clock({})] == [Level.GOOD]
