"""The make targets report missing programs in one sentence."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Each stands for a Python; the arguments of a call tell what is asked of it.
TOO_OLD = "#!/bin/sh\nexit 1\n"
WITHOUT_VENV = '#!/bin/sh\ncase "$*" in *venv*) exit 1 ;; esac\n'


def make_run(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    for name in ("Makefile", "requirements.txt"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "python").write_text(python, encoding="utf-8")
    (folder / "python").chmod(0o755)
    return subprocess.run(["make", "run", "PYTHON=./python"], cwd=folder, capture_output=True, text=True, check=False)


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


def test_help_lists_every_verb() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    verbs = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY: "))

    assert [verb for verb in verbs.split()[1:] if f"make {verb} " not in listed] == []
