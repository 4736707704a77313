"""Files in DATA_DIR that the program may not use, or that hold something else: one sentence each."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from econweb.config import file_access
from tests.server import MANAGE, POWERLESS, ROOT, delete, free_port, manage, refused, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow

NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file to another user")
FILES = [
    "secret_key",
    "load_catalogue.lock",
    "econweb.sqlite3",
    "static.fingerprint",
    "made/econweb.css",
    "made/econweb.js",
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return prepare(tmp_path / "data")


def give_away(path: Path) -> None:
    """Leave a path as a command of another user does."""
    path.touch()
    os.chown(path, NOBODY, NOBODY)
    path.chmod(0o700 if path.is_dir() else 0o600)


@needs_root
@pytest.mark.parametrize("name", [*FILES, "econweb.sqlite3-wal", "static", "made"])
def test_file_of_another_user_is_named_with_its_owner(data: Path, name: str) -> None:
    """A15"""
    # Static files are collected again, into the folder that is given away.
    (data / "static.fingerprint").write_text("of another version")
    give_away(data / name)

    said = refused(data, before=POWERLESS)

    assert str(data / name) in said
    assert " belongs to nobody (mode " in said
    assert said.endswith("to root (chown), or run the command as its owner.")


@needs_root
@pytest.mark.parametrize("command", [["api_key", "list"], ["migrate"], ["createsuperuser", "--noinput"]])
def test_command_names_the_owner_of_the_database_as_well(data: Path, command: list[str]) -> None:
    """A15"""
    give_away(data / "econweb.sqlite3")
    named = {f"DJANGO_SUPERUSER_{name}": "a-word-for-the-test" for name in ("USERNAME", "PASSWORD")}

    ran = manage(data, *command, before=POWERLESS, DJANGO_SUPERUSER_EMAIL="a@example.org", **named)

    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert f"{data / 'econweb.sqlite3'} belongs to nobody (mode 600)" in ran.stderr


@pytest.mark.parametrize("name", FILES)
def test_file_of_a_wrong_mode_is_named_with_its_remedy(data: Path, name: str) -> None:
    """A15"""
    (data / "static.fingerprint").write_text("of another version")
    (data / name).chmod(0o000)

    said = refused(data, before=POWERLESS)

    assert said.startswith(f"{data / name} has mode 000, so that ")
    assert said.endswith(f"call `chmod u+rwX {data / name}`.")


@needs_root
def test_private_secret_key_is_not_changed(data: Path) -> None:
    """A15: a mode is changed by the owner alone, also where it would not be changed."""
    (data / "secret_key").chmod(0o400)
    before = (data / "secret_key").stat().st_mode

    assert manage(data, "check", before=POWERLESS).returncode == 0
    assert (data / "secret_key").stat().st_mode == before


@pytest.fixture
def folder_of_nobody() -> Iterator[Path]:
    """Create a folder of another user where every user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="econweb-owners-"))
    os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@needs_root
@pytest.mark.parametrize(
    "command", [["createsuperuser", "--noinput"], ["load_catalogue", "nothing"], ["serve", "--port", "1"], ["check"]]
)
def test_root_leaves_nothing_in_a_folder_of_another_user(folder_of_nobody: Path, command: list[str]) -> None:
    """A15: what happens when a command of `deploy.md` is run without its first line."""
    ran = manage(folder_of_nobody, *command)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ran.stderr.startswith(f"DATA_DIR: {folder_of_nobody} belongs to nobody, who could not use files that root ")
    assert list(folder_of_nobody.iterdir()) == []


@needs_root
def test_serve_names_files_that_root_owns(folder_of_nobody: Path) -> None:
    """A15: a command of an earlier version ran as root."""
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    probe = [*as_nobody, sys.executable, "-c", "import django"]
    if subprocess.run(probe, cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip("another user cannot run this Python")
    (folder_of_nobody / "secret_key").touch(mode=0o600)

    ran = manage(folder_of_nobody, "serve", "--port", str(free_port()), before=as_nobody)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ran.stderr.startswith(f"{folder_of_nobody / 'secret_key'} belongs to root (mode 600)")


@pytest.mark.parametrize("content", [b"", b"\n", b"a" * 31, b"\xff\xfe" * 40])
def test_secret_key_that_could_be_guessed_is_refused(data: Path, content: bytes) -> None:
    """A19"""
    (data / "secret_key").write_bytes(content)

    said = refused(data)

    assert said.startswith(f"{data / 'secret_key'} is not a secret key of 32 characters or more: ")
    assert (data / "secret_key").read_bytes() == content


def test_folder_instead_of_the_secret_key_is_refused(data: Path) -> None:
    """A19"""
    (data / "secret_key").unlink()
    (data / "secret_key").mkdir(mode=0o755)

    assert " is not a secret key " in refused(data)
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o755


def test_deleted_database_is_not_recreated_by_a_reader(data: Path) -> None:
    """A30"""
    database = data / "econweb.sqlite3"
    with served(data) as (address, _):
        delete(database)
        statuses = [
            requests.get(address + path, timeout=10).status_code for path in ("/readyz", "/release/51/tags/", "/readyz")
        ]
        assert statuses[0] == statuses[2] == 503
        assert not database.exists()
    said = manage(data, "api_key", "list").stderr
    assert said == f"There is no database {database}. Restore it, or call `manage.py migrate` for a new one.\n"
    assert not database.exists()


@pytest.mark.parametrize("location", ["DATA_DIR", "elsewhere"])
def test_migrate_creates_database_for_its_owner_only(tmp_path: Path, location: str) -> None:
    """A30"""
    file = tmp_path / ("econweb.sqlite3" if location == "DATA_DIR" else "a name #1?.sqlite3")
    settings = {} if location == "DATA_DIR" else {"DATABASE_URL": f"sqlite:///{tmp_path}/a name %231%3F.sqlite3"}

    assert manage(tmp_path, "migrate", "--verbosity=0", **settings).returncode == 0

    assert manage(tmp_path, "api_key", "create", "test", **settings).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_unwritable_folder_disables_excel_files_only(data: Path) -> None:
    """A20: the folder may lie on a disk that is mounted for reading only since the start."""
    with served(data, program=(*POWERLESS, *MANAGE)) as (address, _):
        page = requests.get(f"{address}/series/GNPCA/", timeout=10).status_code
        data.chmod(0o555)
        workbook = requests.get(f"{address}/series/GNPCA.xlsx", timeout=10)
        csv = requests.get(f"{address}/series/GNPCA.csv", timeout=10).status_code
        ready = requests.get(f"{address}/readyz", timeout=10)
        data.chmod(0o755)
        again = requests.get(f"{address}/series/GNPCA.xlsx", timeout=10).status_code

    assert (page, workbook.status_code, csv, again) == (200, 503, 200, 200)
    assert "cannot write an Excel file" in workbook.text
    assert "ETag" not in workbook.headers
    assert (ready.status_code, ready.json()["data_dir"]) == (503, "cannot be written")


@pytest.mark.parametrize("command", [["serve"], ["migrate"], ["role", "ada", "editor"], ["doctor"]])
def test_missing_folder_of_the_database_is_named(data: Path, command: list[str]) -> None:
    ran = manage(data, *command, DATABASE_URL=f"sqlite:///{data}/absent/econweb.sqlite3")

    assert f"There is no folder {data}/absent: create it, and give it to " in ran.stdout + ran.stderr
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr


@needs_root
def test_doctor_names_the_owner_of_a_file_that_a_check_reads(data: Path) -> None:
    give_away(data / "static.fingerprint")

    said = manage(data, "doctor", before=POWERLESS).stdout

    assert f"upgrade     {data / 'static.fingerprint'} belongs to nobody (mode 600)" in said
    assert "failed itself" not in said


@needs_root
def test_authority_of_another_user_is_named_with_its_owner(data: Path) -> None:
    """A15"""
    file = data / "authority.pem"
    give_away(file)

    said = manage(data, "check", before=POWERLESS, ECON_CA_FILE=str(file)).stderr

    assert said.startswith(f"ECON_CA_FILE: {file} belongs to nobody (mode 600) and cannot be used by root")
    assert said.count("\n") == 1


@needs_root
@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("pyproject.toml", "call `chmod -R a+rX {folder}`."),
        (".env", "give it to root (chown), or run the command as its owner."),
    ],
)
def test_program_of_another_user_is_to_be_readable_and_not_given_away(
    name: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner of the code of a service could change it."""
    monkeypatch.setattr(file_access, "BASE_DIR", tmp_path)
    give_away(tmp_path / name)

    said = file_access.describe_inaccessible(tmp_path / name)

    assert said.endswith(remedy.format(folder=tmp_path))
