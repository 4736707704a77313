"""Commands name what there is, and what is wrong, in one line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import ROOT, environment, manage
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["--version"], "econweb "),
        (["api_key", "list"], "There are no keys. Create one: manage.py api_key create LABEL."),
    ],
)
def test_command_says_what_there_is(tmp_path: Path, command: list[str], said: str) -> None:
    ran = manage(prepare(tmp_path), *command)

    assert ran.returncode == 0
    assert ran.stdout.startswith(said)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["labels", "import", "nope.csv"], "CommandError: nope.csv cannot be read: No such file or directory.\n"),
        (["library", "import", "nope.jsonl"], "CommandError: nope.jsonl cannot be read: No such file or directory.\n"),
        (["library", "export", "no/where"], "CommandError: no/where cannot be written: No such file or directory.\n"),
        (["series", "import", "nope.csv"], "CommandError: nope.csv cannot be read: No such file or directory.\n"),
        (["serve", "--workers", "0"], "it is a number from 1 to 64\n"),
    ],
)
def test_command_says_what_is_wrong_in_words(tmp_path: Path, command: list[str], said: str) -> None:
    ran = manage(prepare(tmp_path), *command)

    assert ran.returncode != 0
    assert ran.stderr.endswith(said)


@pytest.mark.parametrize("command", [["api_key", "list"], ["labels", "export", "-"], ["library", "export", "-"]])
def test_command_ends_silently_when_its_reader_has_enough(tmp_path: Path, command: list[str]) -> None:
    """`| head` closes the pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(prepare(tmp_path)),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(writer)

    assert ran.stderr == ""
    assert ran.returncode == 1


def test_command_does_not_load_the_pages(tmp_path: Path) -> None:
    """To load them takes as long as all that the command does."""
    program = """
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "api_key", "list"])
print([name for name in sys.modules if name.startswith("econweb.dashboard.") and name.endswith(".views")])
"""

    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment(prepare(tmp_path)), capture_output=True, check=True
    )

    assert ran.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize("buffering", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [["index", "--status"], ["labels", "export", "{}"], ["library", "export", "{}"], ["library", "export", "-"]],
)
def test_command_says_that_standard_output_is_full(command: list[str], buffering: str, tmp_path: Path) -> None:
    file = tmp_path / "written"
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "manage.py", *(part.format(file) for part in command)],
            cwd=ROOT,
            env=environment(prepare(tmp_path)) | {"PYTHONUNBUFFERED": buffering},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert ran.returncode == 1
    assert ran.stderr.removeprefix("CommandError: ").startswith("Standard output ")
    assert ran.stderr.endswith(" cannot be written: No space left on device.\n")
    assert ran.stderr.count("\n") == 1
    assert file.exists() == ("{}" in command)


def test_serve_says_in_json_that_a_disk_is_full() -> None:
    program = """
import sys
from econweb import command_line
def fill() -> None:
    raise OSError(28, "No space left on device", "/data/file")
command_line._execute = fill
sys.argv = ["manage.py", "serve"]
command_line.main()
"""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LOG_FORMAT": "json"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert json.loads(ran.stderr)["event"] == "/data/file cannot be written: No space left on device."


def test_labels_are_imported_from_standard_input(tmp_path: Path) -> None:
    data = prepare(tmp_path)
    given = "\ufeffkind,id,name,note,parent_id\r\ncategory,7,Bäcker,,\r\n"
    ran = subprocess.run(
        [sys.executable, "manage.py", "labels", "import", "-"],
        cwd=ROOT,
        env=environment(data),
        input=given.encode(),
        capture_output=True,
        check=True,
    )

    assert ran.stdout == b"1 labels were read from standard input; 1 of them are new or changed.\n"
    assert "category,7,B\u00e4cker,," in manage(data, "labels", "export", "-").stdout
