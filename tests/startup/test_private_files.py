"""Files that hold secrets are readable by their owner only, from the first start on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings
from structlog.testing import capture_logs

from econweb.startup.prepare_database import create_private_database, restrict_secret_key

ROOT = Path(__file__).resolve().parents[2]
KEY = "a-secret-key-of-more-than-fifty-characters-for-this-test-alone"


def start(data: Path, before: str = "") -> None:
    """Read the settings in a process whose new files are open to all, unless it says otherwise."""
    subprocess.run(
        [sys.executable, "-c", f"{before}import econweb.settings"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data)},
        check=True,
        umask=0,
    )


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_secret_key_is_private_from_its_creation(tmp_path: Path) -> None:
    """A39: restricting the mode afterwards would leave a moment for others to read it."""
    start(tmp_path, "from pathlib import Path; Path.chmod = print; ")

    assert mode_of(tmp_path / "secret_key") == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o666])
def test_readable_secret_key_is_made_private(tmp_path: Path, settings: Settings, mode: int) -> None:
    """A39: others may have read it, so the administrator may want to change it."""
    settings.DATA_DIR, kept = tmp_path, tmp_path / "secret_key"
    kept.write_text(KEY, encoding="utf-8")
    kept.chmod(mode)

    with capture_logs() as logged:
        restrict_secret_key()
        restrict_secret_key()

    assert mode_of(kept) == 0o600
    assert kept.read_text(encoding="utf-8") == KEY
    assert [(line["log_level"], line["file"]) for line in logged] == [("warning", str(kept))]


def test_commands_that_read_the_settings_leave_the_mode_of_the_secret_key(tmp_path: Path) -> None:
    """`manage.py doctor` repairs nothing, and names a key that others can read."""
    kept = tmp_path / "secret_key"
    kept.write_text(KEY, encoding="utf-8")
    kept.chmod(0o644)

    start(tmp_path)

    assert mode_of(kept) == 0o644


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_readable_database_file_is_made_private(tmp_path: Path, suffix: str) -> None:
    """A39: an older copy may have been put there with its journal."""
    database = tmp_path / "econweb.sqlite3"
    beside = Path(f"{database}{suffix}")
    beside.touch()
    beside.chmod(0o644)

    create_private_database(database)

    assert mode_of(beside) == mode_of(database) == 0o600
