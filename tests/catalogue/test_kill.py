"""Whenever a load is killed, readers get the old catalogue or the new one, whole."""

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

from econweb.catalogue import making
from tests.catalogue.asking import asked

KILLS = 20
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "sqlite", reason="a killed client of PostgreSQL is its server's affair"
    ),
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
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.communicate("", timeout=30)


def killed_after(loader: "subprocess.Popen[str]", seconds: float, folder: Path) -> bool:
    """Whether the load was still under way."""
    assert loader.stdin
    assert loader.stdout
    loader.stdin.write(f"{folder} {seconds}\n")
    loader.stdin.flush()
    return int(loader.stdout.readline()) == signal.SIGKILL


def test_a_load_that_is_killed_leaves_a_whole_catalogue(
    tmp_path: Path, loader: "subprocess.Popen[str]"
) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for seed, folder in enumerate(folders):
        making.make(400, seed, folder)
    given, chance = [], Random()  # noqa: S311  nothing here is a secret
    for folder in folders:
        begun = time.monotonic()
        call_command("load_catalogue", str(folder), verbosity=0)
        length = time.monotonic() - begun
        given.append(answers())

    with Readers([set(pair) for pair in zip(*given, strict=True)]) as readers:
        kills = []
        for number in range(KILLS):
            kills.append(killed_after(loader, chance.uniform(0, length), folders[(number + 1) % 2]))
            assert answers() in given

    assert readers.wrong == []
    assert readers.count > KILLS
    assert sum(kills) > 2
    assert killed_after(loader, 10 * length, folders[0]) is False
    assert answers() == given[0]
