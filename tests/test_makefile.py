"""The make targets report missing programs in one sentence."""

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Each stands for a Python; the arguments of a call tell what is asked of it.
TOO_OLD = "#!/bin/sh\nexit 1\n"
WORKS = '#!/bin/sh\necho "$0 $*" >> calls\n'
WITHOUT_PIP = '#!/bin/sh\ncase "$*" in *lxml* | *pip*) exit 1 ;; esac\n'
# The check of what is installed is the first call.
WITHOUT_A_LIBRARY = f'{WORKS}case "$*" in *lxml*) exit 1 ;; esac\n'
WITHOUT_VENV = '#!/bin/sh\ncase "$*" in *venv*) exit 1 ;; esac\n'


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def make_run(folder: Path, python: str, installed: str = "") -> subprocess.CompletedProcess[str]:
    """Call `make run` where an earlier one has installed this Python."""
    for name in ("Makefile", "requirements.txt"):
        (folder / name).symlink_to(ROOT / name)
    write_program(folder / "python", python)
    if installed:
        write_program(folder / ".venv" / "bin" / "python", installed)
        (folder / ".venv" / "requirements.txt").write_bytes((ROOT / "requirements.txt").read_bytes())
    return subprocess.run(
        ["make", "--no-print-directory", "run", "PYTHON=./python"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("python", "words"),
    [(TOO_OLD, "econweb needs Python 3.11 or newer."), (WITHOUT_VENV, "This Python has no venv module.")],
    ids=["too old", "no venv"],
)
def test_unsuitable_python_is_reported(tmp_path: Path, python: str, words: str) -> None:
    made = make_run(tmp_path, python)

    assert made.returncode != 0
    assert made.stderr.startswith(words)
    assert not (tmp_path / ".venv").exists()


def test_start_without_a_library_installs_again(tmp_path: Path) -> None:
    """O27"""
    made = make_run(tmp_path, WORKS, WITHOUT_A_LIBRARY)

    assert made.stdout.startswith("Installing what requirements.txt names into .venv, which takes about a minute")
    assert any("venv.create" in call and "clear=True" in call for call in calls_of(tmp_path, "./python"))


def test_start_with_every_library_installs_nothing(tmp_path: Path) -> None:
    made = make_run(tmp_path, WORKS, WORKS)

    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    assert not any("venv.create" in call for call in calls_of(tmp_path, "./python"))
    assert calls_of(tmp_path, ".venv/bin/python")[-1].startswith("manage.py serve ")


def calls_of(folder: Path, program: str) -> list[str]:
    lines = (folder / "calls").read_text("utf-8").splitlines()
    return [line.removeprefix(program).strip() for line in lines if line.startswith(f"{program} ")]


def test_start_looks_for_every_library_of_the_program() -> None:
    """O27"""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    libraries = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in project["dependencies"]}
    looked_for = (ROOT / "Makefile").read_text("utf-8").partition("NEEDED := import ")[2].partition("\n\n")[0]

    assert libraries <= set(re.findall(r"\w+", looked_for))


def test_failed_installation_names_the_way_without_a_network(tmp_path: Path) -> None:
    made = make_run(tmp_path, WORKS, WITHOUT_PIP)

    assert made.stderr.startswith("The libraries cannot be installed.")
    assert "make run PIP_NO_INDEX=1 PIP_FIND_LINKS=folder" in made.stderr


@pytest.mark.slow
def test_interrupted_installation_prints_no_traceback(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to the whole group."""
    (tmp_path / "Makefile").symlink_to(ROOT / "Makefile")
    command = ["make", "run", f"PYTHON={sys.executable}"]
    made = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    # It is there before pip, which takes seconds.
    while not (tmp_path / ".venv" / "pyvenv.cfg").exists():
        assert made.poll() is None
        time.sleep(0.01)
    os.killpg(made.pid, signal.SIGINT)

    assert "Traceback" not in made.communicate(timeout=60)[1]
    assert made.returncode != 0


def test_help_lists_every_verb() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    verbs = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY: "))

    assert [verb for verb in verbs.split()[1:] if f"make {verb} " not in listed] == []


def test_drills_start_without_the_settings_of_a_site() -> None:
    """`make drill` has none: a drill that imports tables ends all of them before the first."""
    variables = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}

    ran = subprocess.run(
        [sys.executable, "-m", "bench.drills", "--help"],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
