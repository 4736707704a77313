"""Files with secrets that every user can read, as `manage.py doctor` names them."""

from pathlib import Path

import pytest
from pytest_django import Settings

from econweb.doctor import machine_checks
from econweb.doctor.findings import Level


@pytest.fixture(autouse=True)
def database_in_data_dir(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    own = {"ENGINE": "x.sqlite3", "NAME": str(tmp_path / "econweb.sqlite3")}
    monkeypatch.setitem(settings.DATABASES, "default", own)


def test_settings_of_the_unit_hold_passwords(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR, file = tmp_path, tmp_path / "econweb.env"
    assert Path("/etc/econweb.env") == machine_checks.UNIT_SETTINGS
    monkeypatch.setattr(machine_checks, "UNIT_SETTINGS", file)
    file.write_text("DATABASE_URL=postgresql://econweb:word@192.0.2.10/econweb\n")
    file.chmod(0o644)
    (open_to_all,) = machine_checks.check_files()
    file.chmod(0o640)
    (private,) = machine_checks.check_files()

    remedy = f"call `chmod o= {file}`, and change its secrets if others may have read them"
    assert (open_to_all.level, open_to_all.text) == (
        Level.WARNING,
        f"{file} is open to other users: {remedy}",
    )
    assert (private.level, private.text) == (
        Level.GOOD,
        f"{tmp_path} is writable, and other users cannot read {file}",
    )


def test_group_may_not_use_a_generated_key(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """The next start would restrict it, and log that others could read it."""
    settings.DATA_DIR, key = tmp_path, tmp_path / "secret_key"
    monkeypatch.setattr(machine_checks, "UNIT_SETTINGS", tmp_path / "none")
    monkeypatch.setattr(machine_checks, "WORKING_DIR", tmp_path)
    key.touch()
    key.chmod(0o640)

    (found,) = machine_checks.check_files()

    remedy = f"call `chmod go= {key}`, and change its secrets if others may have read them"
    assert (found.level, found.text) == (Level.WARNING, f"{key} is open to other users: {remedy}")


def test_files_that_were_looked_at_are_named(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    """There may be other files of secrets, such as one that another unit reads."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(machine_checks, "UNIT_SETTINGS", tmp_path / "none")
    monkeypatch.setattr(machine_checks, "WORKING_DIR", tmp_path)
    (nothing,) = machine_checks.check_files()
    for name in ("secret_key", "econweb.sqlite3"):
        (tmp_path / name).touch(mode=0o600)
    (found,) = machine_checks.check_files()

    assert nothing.text == f"{tmp_path} is writable"
    files = f"{tmp_path}/secret_key, {tmp_path}/econweb.sqlite3"
    assert found.text == f"{tmp_path} is writable, and other users cannot read {files}"


def test_database_elsewhere_is_looked_at(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """Others could change it, with the digests of passwords in it, and the check saw only DATA_DIR."""
    settings.DATA_DIR, folder = tmp_path / "data", tmp_path / "database"
    settings.DATA_DIR.mkdir(mode=0o700)
    folder.mkdir()
    file = folder / "econweb.sqlite3"
    file.touch()
    monkeypatch.setitem(settings.DATABASES, "default", {"ENGINE": "x.sqlite3", "NAME": str(file)})
    monkeypatch.setattr(machine_checks, "UNIT_SETTINGS", tmp_path / "none")
    monkeypatch.setattr(machine_checks, "WORKING_DIR", tmp_path)
    file.chmod(0o602)
    folder.chmod(0o777)

    assert [finding.text for finding in machine_checks.check_files()] == [
        f"{file} is open to other users: call `chmod o= {file}`, and change its secrets if others may have read them",
        f"{folder} can be changed by every user: call `chmod o-w` on it",
    ]
    assert [finding.text.partition(" for ")[2] for finding in machine_checks.check_disk()] == [
        str(settings.DATA_DIR),
        str(folder),
    ]
