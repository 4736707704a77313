"""After a load is killed at any time, clients get the old or the new catalogue, whole."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from econweb.catalogue.loading import generate
from tests.catalogue.api_calls import asked

KILLS = 20
pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="a killed client of PostgreSQL is its server's affair"),
]
QUESTIONS = [
    ("release/tags", {"release_id": "1"}),
    ("release/tags", {"release_id": "2", "realtime_start": "2000-01-01", "realtime_end": "2010-01-01"}),
    ("category/tags", {"category_id": "3", "order_by": "name"}),
    ("series", {"series_id": "S0000001", "realtime_start": "1990-01-01"}),
]


class Readers:
    """Ask all the time, and keep every answer that neither catalogue gives."""

    def __init__(self, good: list[set[str]]) -> None:
        self.good = good
        self.wrong: list[str] = []
        self.count = 0
        self._end = Event()
        self._thread = Thread(target=self._read)

    def __enter__(self) -> "Readers":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _read(self) -> None:
        while not self._end.is_set():
            for good, answer in zip(self.good, answers(), strict=True):
                self.count += 1
                if answer not in good:
                    self.wrong.append(answer)
        connection.close()


def answers() -> list[str]:
    return [str(asked(path, api_key=settings.CATALOGUE_OWN_KEY, **own)) for path, own in QUESTIONS]


@pytest.fixture
def loader() -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "econweb.settings"}
    command = [sys.executable, "-m", "tests.catalogue.loader", str(connection.settings_dict["NAME"])]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield process
    process.communicate("", timeout=30)


def killed(loader: "subprocess.Popen[str]", folder: Path, seconds: float = 0, step: str = "") -> bool:
    """Return whether a started load was still running.

    A step is a word of when, and the beginning of a statement; else the seconds count from the first one.
    """
    when, _, statement = step.partition(" ")
    assert loader.stdin
    assert loader.stdout
    loader.stdin.write(f"{folder}\t{seconds}\t{when}\t{statement}\n")
    loader.stdin.flush()
    return int(loader.stdout.readline()) == signal.SIGKILL


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two catalogues that answer otherwise."""
    made = [tmp_path / "one", tmp_path / "other"]
    for seed, folder in enumerate(made):
        generate.generate(400, seed, folder)
    return made


def loaded(folder: Path) -> list[str]:
    call_command("load_catalogue", str(folder), verbosity=0)
    return answers()


def log_of_the_database() -> int:
    """The size of what stands beside the database's file."""
    return Path(f"{connection.settings_dict['NAME']}-wal").stat().st_size


# Moments of a load between two catalogues, or between the rows of one and their counts.
STEPS = {
    'before DELETE FROM "catalogue_edition"': "old",
    'after DELETE FROM "catalogue_seriesversion"': "old",
    'after INSERT INTO "catalogue_tag"': "old",
    'after INSERT INTO "catalogue_seriesversion"': "old",
    'before INSERT INTO "catalogue_owner"': "old",
    'after INSERT INTO "catalogue_owner"': "old",
    'after INSERT INTO "catalogue_chapter"': "old",
    'before INSERT INTO "catalogue_edition"': "old",
    'after INSERT INTO "catalogue_edition"': "old",
    "before PRAGMA wal_checkpoint": "new",
}


def test_load_killed_between_steps_leaves_a_whole_catalogue(
    folders: list[Path], loader: "subprocess.Popen[str]"
) -> None:
    """P1: between data and counts and at the swap; the next load is as if nothing had been."""
    new, old = (loaded(folder) for folder in reversed(folders))
    whole = {"old": old, "new": new}
    left = {}
    with Readers([set(pair) for pair in zip(old, new, strict=True)]) as readers:
        for step in STEPS:
            assert killed(loader, folders[1], step=step), step
            given = answers()
            left[step] = next((name for name, good in whole.items() if given == good), "mixed")

    assert left == STEPS
    assert readers.wrong == []
    assert loaded(folders[0]) == old
    assert log_of_the_database() == 0


def test_load_killed_anywhere_leaves_a_whole_catalogue(folders: list[Path], loader: "subprocess.Popen[str]") -> None:
    """P1"""
    given, chance = [], Random(7)  # noqa: S311  nothing here is a secret
    for folder in folders:
        begun = time.monotonic()
        given.append(loaded(folder))
        length = time.monotonic() - begun

    kills = tries = 0
    with Readers([set(pair) for pair in zip(*given, strict=True)]) as readers:
        while kills < KILLS and tries < 4 * KILLS:
            # Always the one that is not there: a load of the same one has nothing to do.
            other = 1 - given.index(answers())
            if killed(loader, folders[other], chance.uniform(0, length)):
                kills += 1
            else:
                length *= 0.8
            tries += 1
            assert answers() in given

    assert readers.wrong == []
    assert readers.count > KILLS
    assert kills == KILLS
    assert loaded(folders[0]) == given[0]
