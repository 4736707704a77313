"""The titles of the catalogue are in the index when it is loaded, or at the start."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from econweb.catalogue.loading import load as loading
from econweb.config.database_config import SQLITE_OPTIONS
from econweb.search_index.models import IndexState, SeriesTitle
from econweb.search_index.titles import title_index
from econweb.search_index.titles.find import TitleQuery, find
from econweb.search_index.titles.places import Record
from econweb.startup.load_catalogue import load_sample_if_due
from econweb.startup.prepare_database import prepare_database
from tests.builders import a_series
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)


def found(text: str) -> list[str]:
    return [row.series_id for row in find(TitleQuery(text)).rows]


def test_load_indexes_the_newest_titles(catalogue: Loader) -> None:
    old = a_series(realtime_end="2019-12-31", title="Real zinc")
    catalogue(series=[old, a_series(realtime_start="2020-01-01", title="Real tin")])

    assert (found("tin"), found("zinc")) == (["GNPCA"], [])


def test_load_that_fails_leaves_the_titles(catalogue: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue(series=[a_series(title="Real zinc")])
    monkeypatch.setattr(title_index, "_count_words", lambda uses: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        catalogue(series=[a_series(title="Real tin")])

    assert (found("tin"), found("zinc")) == ([], ["GNPCA"])


def test_start_indexes_a_catalogue_without_titles(settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    load_sample_if_due()
    without = found("gross domestic product")
    settings.ECON_MAY_STORE = True
    prepare_database()

    assert (without, found("gross domestic product")[0]) == ([], "GDP")


def test_start_removes_what_may_not_be_stored(catalogue: Loader, settings: Settings) -> None:
    catalogue(series=[a_series(title="Real zinc")])
    title_index.add([Record("I", "Imported zinc")], title_index.IMPORTED)
    settings.ECON_MAY_STORE = False
    prepare_database()

    assert found("zinc") == ["I"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL removes deleted rows by VACUUM")
def test_sqlite_overwrites_what_is_deleted(tmp_path: Path) -> None:
    """A text that may not be stored any more must leave the file, also where SQLite was compiled to leave it."""
    file = tmp_path / "deleted.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA secure_delete=OFF")
        database.executescript(str(SQLITE_OPTIONS["init_command"]))
        database.execute("CREATE TABLE title (text)")
        database.executemany("INSERT INTO title VALUES (?)", [("planted" * 9,)] * 500)
        database.commit()
        database.execute("DELETE FROM title")
        database.commit()

    assert b"planted" not in file.read_bytes()


def test_no_title_is_written_when_nothing_may_be_stored(settings: Settings) -> None:
    settings.ECON_MAY_STORE = False
    call_command("load_catalogue", str(loading.SAMPLE), verbosity=0)
    prepare_database()

    assert not SeriesTitle.objects.exists()
    # The one fact of the row is about this site: the loaded catalogue is the sample.
    assert [*IndexState.objects.values_list("revision", "catalogue", "service", "has_sample")] == [(0, "", "", True)]
