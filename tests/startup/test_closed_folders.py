"""Folders outside DATA_DIR that the user may not enter, and file systems that are read-only: one sentence each."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import POWERLESS, ROOT, environment, free_port, manage
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user, or mount one")
# In a name space of its own, so that the mount ends with the command.
READ_ONLY = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"']


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return prepare(tmp_path / "data")


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """Create a folder with a file that its owner alone may enter, as `/root` is."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret").write_text("x" * 50)
    os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o700)
    return folder


def remedy(closed: Path, file: Path) -> str:
    cannot = f"{closed} belongs to nobody (mode 700) and cannot be used by root, who runs this command"
    return f"{cannot}: move or copy {file} to where root may read it.\n"


@needs_root
@pytest.mark.parametrize("name", ["SECRET_KEY_FILE", "ECON_CA_FILE", "SITE_LOGO"])
def test_folder_outside_data_dir_is_not_to_be_given_away(data: Path, closed: Path, name: str) -> None:
    """A15: a `chown` of such a folder, like `/root`, would open it to the service."""
    file = closed / "secret.svg"

    said = manage(data, "check", before=POWERLESS, **{name: str(file)}).stderr

    assert said == f"{name}: {remedy(closed, file)}"


@needs_root
def test_closed_parent_of_a_catalogue_is_named(data: Path, closed: Path) -> None:
    """A15"""
    ran = manage(data, "load_catalogue", "--dry-run", str(closed / "mine"), before=POWERLESS)

    assert (ran.returncode, ran.stderr) == (1, f"CommandError: Nothing is loaded. {remedy(closed, closed / 'mine')}")


@needs_root
def test_catalogue_of_another_user_cannot_be_read(data: Path, closed: Path) -> None:
    """A15: nothing was written that could fail."""
    ran = manage(data, "load_catalogue", str(closed), before=POWERLESS)

    assert (ran.returncode, ran.stderr) == (1, f"CommandError: Nothing is loaded. {remedy(closed, closed)}")


@needs_root
def test_relative_path_in_a_closed_folder_is_named_as_a_whole(data: Path, closed: Path) -> None:
    """A15: `runuser` in `/root` leaves its user in a folder that the user may not enter."""
    ran = subprocess.run(
        [*POWERLESS, sys.executable, str(ROOT / "manage.py"), "load_catalogue", "mine"],
        cwd=closed,
        env=environment(data) | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (1, f"CommandError: Nothing is loaded. {remedy(closed, closed / 'mine')}")


@needs_root
@pytest.mark.parametrize("command", [["doctor"], ["invite", "ada"], ["serve", "--port", str(free_port())]])
def test_read_only_file_system_is_named(data: Path, command: list[str]) -> None:
    """A15: a disk with errors is mounted so. A mode would be blamed in vain."""
    if subprocess.run([*READ_ONLY, data, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")

    ran = manage(data, *command, before=[*READ_ONLY, str(data)])

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ran.stderr == (
        f"DATA_DIR: {data} is on a read-only file system, so that root cannot write there: "
        "mount it for writing, or use another folder.\n"
    )


@needs_root
def test_database_in_a_folder_of_another_user_needs_another_folder(data: Path, closed: Path) -> None:
    closed.chmod(0o755)

    said = manage(data, "migrate", before=POWERLESS, DATABASE_URL=f"sqlite:///{closed}/econweb.sqlite3").stderr

    assert said == (
        f"{closed} belongs to nobody (mode 755) and cannot be used by root, who runs this command: "
        "use a folder that root may write to.\n"
    )
