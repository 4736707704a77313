"""A library that is missing or damaged ends a start with one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import ROOT, environment

pytestmark = pytest.mark.slow

# An import fails as that of a folder which somebody has deleted.
CODE = "import sys; sys.modules[{library!r}] = None; from econweb.command_line import main; main()"
# Django asks for this library where a database needs it.
POSTGRESQL = {"DATABASE_URL": "postgresql://user:word@127.0.0.1:9/name"}


@pytest.mark.parametrize("library", ["django", "structlog", "prometheus_client", "xlsxwriter", "whitenoise", "psycopg"])
def test_missing_library_ends_serve_with_one_sentence(tmp_path: Path, library: str) -> None:
    """O27: some libraries are imported by the settings, some by pages, some by workers."""
    settings = environment(tmp_path) | (POSTGRESQL if library == "psycopg" else {})
    command = [sys.executable, "-c", CODE.format(library=library), "serve", "--port", "1"]
    ran = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False, timeout=60)

    assert ran.returncode == 1
    assert ran.stderr.startswith(f"The library {library} is missing or damaged here. Delete .venv and run make again.")
    assert (ran.stdout, ran.stderr.count("\n")) == ("", 1)


def test_missing_module_of_the_program_itself_is_a_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CODE.format(library="econweb.urls"), "check"]
    ran = subprocess.run(
        command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=60
    )

    assert "Traceback" in ran.stderr
