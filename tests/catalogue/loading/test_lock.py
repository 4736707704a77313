"""A long write by another program delays no request, and a load reports it."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.builders import write_catalogue
from tests.catalogue.api_calls import Ask, a_catalogue
from tests.conftest import Loader

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="writers of PostgreSQL lock rows, not the whole"),
]


@pytest.fixture
def writer(catalogue: Loader) -> Iterator[sqlite3.Connection]:
    """Holds the lock of writers; ours wait for it a tenth of a second instead of five."""
    catalogue(**a_catalogue({"A": ["usa"]}))
    writer = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    yield writer
    writer.close()
    connection.close()


@pytest.mark.usefixtures("writer")
def test_load_that_cannot_write_is_reported(tmp_path: Path, ask: Ask) -> None:
    """P3"""
    folder = tmp_path / "other"
    folder.mkdir()
    write_catalogue(folder, **a_catalogue({"B": ["usa"]}))

    with pytest.raises(CommandError) as refused:
        call_command("load_catalogue", str(folder))

    assert str(refused.value) == (
        "Nothing is loaded. The catalogue cannot be written: database is locked. "
        "Is another program writing to it? Try again when it has ended."
    )
    assert ask("series", series_id="A")[0] == 200
    assert ask("release/tags", release_id="53")[1]["count"] == 1


def test_key_uses_are_written_in_the_background(
    writer: sqlite3.Connection, ask: Ask, writing_threads: Callable[[], set[Thread]]
) -> None:
    """P3"""
    status, _ = ask("series", series_id="A")
    waiting = writing_threads()

    assert status == 200
    assert waiting
    writer.execute("ROLLBACK")
    for thread in waiting:
        thread.join()
