"""Whenever a load is killed, a search finds the titles of the old catalogue or of the new one, all of them."""

import subprocess
from pathlib import Path
from random import Random

import pytest
from django.db import connection

from econweb.search_index.titles.find import TitleQuery, find
from tests.catalogue.loading.test_kill import folders, killed, loaded, loader

KILLS = 8
SEARCHES = ("output", "real prices", "gross employment of", "north")
__all__ = ["folders", "loader"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="a killed client of PostgreSQL is its server's affair"),
]
STEPS = {
    'after DELETE FROM "search_index_seriestitle"': "old",
    "after INSERT INTO search_index_seriestitle": "old",
    "after DROP TABLE IF EXISTS search_index_fulltext": "old",
    "after CREATE VIRTUAL TABLE search_index_fulltext": "old",
    "after INSERT INTO search_index_fulltext": "old",
    "before INSERT INTO search_index_word": "old",
    'after UPDATE "search_index_indexstate"': "old",
    "before PRAGMA wal_checkpoint": "new",
}


def found() -> list[list[str]]:
    return [sorted(row.title for row in find(TitleQuery(text, limit=1000)).rows) for text in SEARCHES]


def test_load_killed_between_steps_leaves_a_whole_index(folders: list[Path], loader: "subprocess.Popen[str]") -> None:
    loaded(folders[1])
    new = found()
    loaded(folders[0])
    whole = {"old": found(), "new": new}
    left = {}
    for step in STEPS:
        assert killed(loader, folders[1], step=step), step
        left[step] = next((name for name, titles in whole.items() if titles == found()), "mixed")

    assert new != whole["old"]
    assert left == STEPS


def test_load_killed_anywhere_leaves_a_whole_index(folders: list[Path], loader: "subprocess.Popen[str]") -> None:
    chance, given = Random(7), []  # noqa: S311  nothing here is a secret
    for folder in folders:
        loaded(folder)
        given.append(found())
    for _ in range(KILLS):
        killed(loader, folders[1 - given.index(found())], chance.uniform(0, 1))
        assert found() in given
