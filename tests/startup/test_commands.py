"""Commands name what there is, and what is wrong, in one line."""

from pathlib import Path

import pytest

from tests.server import manage
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
        (["serve", "--workers", "0"], "it is a number from 1 to 64\n"),
    ],
)
def test_command_says_what_is_wrong_in_words(tmp_path: Path, command: list[str], said: str) -> None:
    ran = manage(prepare(tmp_path), *command)

    assert ran.returncode != 0
    assert ran.stderr.endswith(said)
