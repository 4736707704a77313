"""The index of the embedded catalogue: rebuilt after a load, whole at any moment."""

import csv
import os
import random
import signal
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections
from pytest_django import Settings

from econweb.catalogue.loading import load as loading
from econweb.catalogue.models import Owner
from econweb.label_book.models import Label
from econweb.label_book.storing import save_labels
from econweb.search_index.models import IndexedTag, ReaderState, UnreadOwner
from econweb.search_index.reading import plan
from econweb.search_index.reading.reader import Reader
from econweb.search_index.reading.status import status_lines
from econweb.search_index.tags import tag_index
from econweb.search_index.tags.occurrences import find_occurrences
from econweb.serving.background import request_tags
from econweb.upstream import clock, service
from econweb.upstream.queries import TagQuery
from tests.builders import a_series
from tests.conftest import Loader
from tests.search_index.reference import Reference, stored_occurrences

pytestmark = pytest.mark.django_db(transaction=True)
KILLS = 20
Rows = set[tuple[str, int, str, int]]


def indexed() -> Rows:
    return {
        (found.kind, found.number, tag.name, found.series_count)
        for tag in IndexedTag.objects.all()
        for found in find_occurrences(tag).rows
    }


def expected() -> Rows:
    """Return what the embedded service says of each of its categories and releases."""
    return {
        (kind, number, tag.name, tag.series_count)
        for kind, number in Owner.objects.values_list("kind", "number")
        for tag in service.tags(kind, number, TagQuery()).all_tags
    }


def load(catalogue: Loader, prefix: str, count: int = 30) -> None:
    """Load a catalogue with a series and a tag in each category."""
    numbers = range(1, count + 1)
    catalogue(
        series=[a_series(id=f"{prefix}{number}") for number in numbers],
        tags=[{"name": prefix, "group_id": "gen", "created": "2012-02-27 10:18:19-06", "popularity": "5"}],
        series_tags=[{"series_id": f"{prefix}{number}", "tag_name": prefix} for number in numbers],
        series_categories=[{"series_id": f"{prefix}{number}", "category_id": str(number)} for number in numbers],
        categories=[{"category_id": str(number), "name": f"Category {number}"} for number in numbers],
    )


def load_folder(folder: Path) -> None:
    call_command("load_catalogue", str(folder), verbosity=0)


@pytest.fixture
def part_of_sample(tmp_path: Path) -> Path:
    """A catalogue with two of three series of the sample."""
    for source in loading.SAMPLE.glob("*.csv"):
        with source.open(encoding="utf-8", newline="") as given, (tmp_path / source.name).open("w", newline="") as kept:
            rows = csv.DictReader(given)
            writer = csv.DictWriter(kept, rows.fieldnames or ())
            writer.writeheader()
            writer.writerows(row for row in rows if crc32(row.get("series_id", row.get("id", "")).encode()) % 3 < 2)
    return tmp_path


@pytest.mark.slow
def test_index_agrees_with_plain_loops_and_the_service_for_the_whole_sample() -> None:
    load_folder(loading.SAMPLE)
    call_command("index", "--once")

    Reference(loading.SAMPLE).check_index()
    assert indexed() == expected()
    assert tag_index.coverage().read == tag_index.coverage().known > 150


@pytest.mark.slow
def test_index_agrees_with_plain_loops_after_a_load_that_ran_meanwhile(
    part_of_sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 1000)
    load_folder(loading.SAMPLE)
    reader = Reader(request_tags)
    reader.step()
    load_folder(part_of_sample)
    while not reader.is_idle:
        reader.step()

    Reference(part_of_sample).check_index()


def test_load_is_followed_by_a_rebuild(catalogue: Loader) -> None:
    load(catalogue, "OLD")
    call_command("index", "--once")
    load(catalogue, "NEW")
    before = indexed()
    call_command("index", "--once")

    assert {name for _, _, name, _ in before} == {"OLD"}
    assert {name for _, _, name, _ in indexed()} == {"NEW"}


def test_load_during_a_rebuild_begins_another_one(catalogue: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 7)
    load(catalogue, "OLD")
    reader = Reader(request_tags)
    reader.step()
    load(catalogue, "NEW")
    while not reader.is_idle:
        reader.step()

    assert {(number, name) for _, number, name, _ in indexed()} == {(number, "NEW") for number in range(1, 31)}


def test_rebuild_whose_write_fails_in_the_database_is_finished_whole(
    catalogue: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O10: the worker calls the same reader again."""
    monkeypatch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 7)
    load(catalogue, "OLD")
    reader, write = Reader(request_tags), tag_index.write
    failures = [OperationalError("The database is locked.")]

    def fail_once(*arguments: Any) -> None:
        write(*arguments)
        if failures:
            raise failures.pop()

    monkeypatch.setattr(tag_index, "write", fail_once)
    with pytest.raises(OperationalError):
        reader.step()
    while not reader.is_idle:
        reader.step()

    assert {number for _, number, _, _ in indexed()} == set(range(1, 31))


def test_index_of_an_unchanged_catalogue_is_read_once(catalogue: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    load(catalogue, "OLD")
    call_command("index", "--once")
    monkeypatch.setattr("econweb.management.commands.index.request_tags", None)
    call_command("index", "--once")

    assert len(indexed()) == 30


def test_new_day_is_followed_by_a_rebuild(catalogue: Loader) -> None:
    load(catalogue, "OLD")
    call_command("index", "--once")
    ReaderState.objects.update(edition=plan.edition().partition(" ")[0] + " 2020-01-01")
    before = tag_index.state().generation
    call_command("index", "--once")

    assert tag_index.state().generation != before


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a killed client of PostgreSQL is its server's affair")
def test_reader_killed_anywhere_leaves_a_whole_index(part_of_sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """O10: each kill is followed by another process, and each state is that of one of the two catalogues."""
    monkeypatch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 1)
    load_folder(loading.SAMPLE)
    call_command("index", "--once")
    reference, old = Reference(part_of_sample), stored_occurrences()
    load_folder(part_of_sample)
    chance, states = random.Random(3), []  # noqa: S311  no secret
    for _ in range(KILLS):
        # A rebuild that has ended begins again, so that each kill meets one.
        ReaderState.objects.filter(rebuilding="").update(edition="")
        ReaderState.objects.update(held_until=0)
        kill_after(chance.uniform(0.0, 0.3))
        states.append(stored_occurrences())
    ReaderState.objects.update(held_until=0)
    call_command("index", "--once")

    reference.check_index()
    assert all(state in (old, reference.occurrences()) for state in states)
    assert old in states


def kill_after(seconds: float) -> None:
    """Let a process of its own read, and kill it."""
    connections.close_all()
    child = os.fork()
    if not child:
        reader = Reader(request_tags)
        while True:
            reader.step()
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_command_refuses_to_read_beside_another_process(catalogue: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("econweb.search_index.reading.reader.MAX_TOGETHER", 3)
    load(catalogue, "OLD")
    Reader(request_tags).step()

    with pytest.raises(CommandError, match="Another process is reading"):
        call_command("index", "--once")


def test_command_refuses_to_read_what_may_not_be_stored(settings: Settings) -> None:
    settings.ECON_MAY_STORE = False

    with pytest.raises(CommandError, match="ECON_MAY_STORE"):
        call_command("index", "--once")


def test_status_names_how_far_and_how_old(catalogue: Loader, capsys: pytest.CaptureFixture[str]) -> None:
    load(catalogue, "OLD")
    call_command("index", "--once")
    call_command("index", "--status")

    shown = capsys.readouterr().out.splitlines()
    assert shown[-1].startswith("Of 30 known categories and releases 30 were read, the oldest ")


def test_name_that_the_catalogue_lacks_is_reported_as_not_found(catalogue: Loader) -> None:
    load(catalogue, "OLD")
    save_labels([Label(kind="category", number=99, name="Of another catalogue")])
    call_command("index", "--once")

    assert len(indexed()) == 30
    assert any(line.startswith("category 99 could not be read (NotFound)") for line in status_lines())
    assert UnreadOwner.objects.get().retry_at > clock.utc_now() + timedelta(hours=23)
