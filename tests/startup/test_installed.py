"""The wheel holds everything that the program reads, and its command runs in any folder."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import requests

from tests.server import ROOT, served

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    uv = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable]
    subprocess.run([*uv, "--out-dir", str(folder), str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """Return a folder into which pip installed the wheel alone; the libraries are those of the tests."""
    folder = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    return folder


def files_below(folder: Path) -> set[str]:
    known = subprocess.run(["git", "ls-files", str(folder)], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(known.stdout.split())


def test_wheel_has_every_file_of_the_program_and_no_other(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    expected = {f"econweb/{name}" for folder in ("templates", "static") for name in files_below(ROOT / folder)}
    assert inside == files_below(ROOT / "econweb") | expected | {"econweb/docs/openapi.yaml", "econweb/pyproject.toml"}


def test_installed_command_serves_pages_styles_and_the_description(installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "where the command is called"
    folder.mkdir()
    (folder / ".env").write_text("SERVICE_NOTICE=The notice of this folder. https://data.example.org/terms\n")
    program = (str(installed / "bin" / "econweb"),)
    variables = {"PYTHONPATH": str(installed), "DATA_DIR": "", "DJANGO_SETTINGS_MODULE": "econweb.settings"}

    with served(folder, root=folder, program=program, **variables) as (address, _):
        tags = requests.get(f"{address}/category/125/tags/", timeout=20)
        assert tags.status_code == 200
        assert "The notice of this folder." in tags.text
        style = tags.text.split('rel="stylesheet" href="', 1)[1].split('"', 1)[0]
        assert requests.get(address + style, timeout=20).status_code == 200
        assert "GNPCA" in requests.get(f"{address}/series/GNPCA/", timeout=20).text
        assert requests.get(f"{address}/econ/openapi.yaml", timeout=20).text.startswith("openapi:")
        assert "0.2.0" in requests.get(f"{address}/about/", timeout=20).text
    assert (folder / "var" / "econweb.sqlite3").is_file()


def test_installed_command_says_its_version(installed: Path) -> None:
    """The version of the package, of the citation and of the newest notes are one."""
    command, path = installed / "bin" / "econweb", {"PYTHONPATH": str(installed), "PATH": ""}
    run = subprocess.run([sys.executable, command, "--version"], env=path, capture_output=True, text=True, check=True)

    notes = re.findall(r"^## (\d\S+) – (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    version, day = notes[0]
    assert run.stdout == f"econweb {version}\n"
    assert f"version: {version}\ndate-released: {day}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_installed_program_without_its_libraries_says_one_sentence(installed: Path, tmp_path: Path) -> None:
    bare = [sys.executable, "-I", "-S", "-c"]
    code = f"import sys; sys.path[:0] = [{str(installed)!r}]; from econweb.command_line import main; main()"
    run = subprocess.run([*bare, code], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run.returncode == 1
    assert run.stderr.startswith("The library django is missing or damaged here. Delete .venv and run make again.")
    assert run.stderr.count("\n") == 1
