"""The file `.env` is read, and an error in it shows no value."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.reading import KEY
from tests.server import POWERLESS, ROOT

pytestmark = pytest.mark.slow


def dot_env(tmp_path: Path, text: str, mode: int = 0o600) -> subprocess.CompletedProcess[str]:
    """Read a `.env` and say what came of it."""
    (tmp_path / ".env").write_bytes(text.encode("latin-1"))
    (tmp_path / ".env").chmod(mode)
    code = "import os, sys; from pathlib import Path; from econweb.config import environment as e;"
    code += "e.read_dot_env(Path(sys.argv[1])); print({k: v for k, v in os.environ.items() if 'ECON_' in k})"
    return subprocess.run(
        [*POWERLESS, sys.executable, "-c", code, str(tmp_path / ".env")],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def test_dot_env_file_is_read(tmp_path: Path) -> None:
    text = "# a comment\n\nECON_A=1\nexport ECON_B='two words'\nECON_C=\"3\"\nECON_D=a=b\n"

    assert dot_env(tmp_path, text).stdout == "{'ECON_A': '1', 'ECON_B': 'two words', 'ECON_C': '3', 'ECON_D': 'a=b'}\n"


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("5 # seconds", "5"),
        ("'a # b' # a remark", "a # b"),
        (" # a remark", ""),
        ("#word", "#word"),
        ("https://example.org/#top", "https://example.org/#top"),
        ('"a"b"', 'a"b'),
    ],
)
def test_remark_in_dot_env_is_no_part_of_the_value(tmp_path: Path, value: str, read: str) -> None:
    assert dot_env(tmp_path, f"ECON_A={value}\n").stdout == str({"ECON_A": read}) + "\n"


def test_shell_reads_the_example_as_the_program_does(tmp_path: Path) -> None:
    """`docs/deploy.md` lets a shell read the settings for commands."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    lines = [line for line in re.findall(r"^#(\w+=.+)$", example, re.MULTILINE) if line.startswith("ECON_")]
    (tmp_path / "example").write_text("\n".join(lines), encoding="utf-8")
    shell = subprocess.run(
        ["sh", "-c", f". {tmp_path}/example; set"], capture_output=True, text=True, check=True, env={}
    )
    read = ast.literal_eval(dot_env(tmp_path, "\n".join(lines)).stdout)

    assert len(read) > 10
    assert (
        read.items()
        <= {
            name: value.strip("'") for name, _, value in (line.partition("=") for line in shell.stdout.splitlines())
        }.items()
    )


def test_dot_env_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    code = "import pathlib, sys, econweb.config.environment as e; e.read_dot_env(pathlib.Path(sys.argv[1]))"
    told = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], check=False, cwd=ROOT, capture_output=True, text=True
    )

    assert told.returncode == 1
    assert told.stderr.startswith(f"{tmp_path} is a folder. ")


def test_unreadable_dot_env_is_named_with_its_remedy(tmp_path: Path) -> None:
    told = dot_env(tmp_path, "DEBUG=true\n", mode=0o000)

    assert told.returncode == 1
    assert told.stderr.startswith(f"{tmp_path / '.env'} has mode 000, so that ")
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("line", [f"ECON_API_KEY: {KEY}", f"ECON_API_KEY {KEY}", f"é={KEY}", f"ECON_API_KEY = {KEY}"])
def test_dot_env_error_is_reported_by_line_number_only(tmp_path: Path, line: str) -> None:
    told = dot_env(tmp_path, f"DEBUG=false\n{line}\n")

    assert told.returncode == 1
    assert told.stderr.startswith(".env")
    assert told.stderr.count("\n") == 1
    assert KEY not in told.stderr


def test_dot_env_in_another_encoding_is_refused_with_its_remedy(tmp_path: Path) -> None:
    told = dot_env(tmp_path, f"SITE_NAME=Büro\nECON_API_KEY={KEY}\n")

    assert told.returncode == 1
    assert told.stderr == ".env cannot be read as UTF-8 text. Save it in this encoding.\n"
