"""CSV files in, tables out: all or nothing."""

import sys
import uuid
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from econweb.catalogue import contents, folder
from econweb.catalogue.contents import Contents, Owners
from econweb.catalogue.counts import Packed, packed
from econweb.catalogue.csv_files import CsvFile, Problem, Problems, Unreadable, Wrong
from econweb.catalogue.lock import only_one
from econweb.catalogue.models import FORMAT, Chapter, Edition, Owner, SeriesVersion, Tag
from econweb.catalogue.progress import Progress

log = structlog.get_logger("econweb.catalogue")
SAMPLE = Path(__file__).resolve().parent / "sample"

NO_SERIES = "holds no series: is it the right folder? With --empty it is loaded all the same"


def load(path: Path, dry_run: bool = False, may_be_empty: bool = False) -> Contents | None:
    """Replace the catalogue by the one in the folder; None when it is the same one.

    Everything is checked before the first row is written. Then one transaction replaces all tables, so that
    the database itself keeps the old catalogue whole, whatever ends this process.
    """
    with only_one(settings.DATA_DIR / "load_catalogue.lock"), Progress(sys.stderr) as progress:
        files = folder.files_of(path, progress)
        digest = f"{FORMAT}-{folder.digest_of(files)}"
        if not dry_run and Edition.objects.filter(digest=digest).exists():
            return None
        # The texts of the series are read a second time when they are stored.
        progress.expect(sum(file.size for file in files.values()) + files["series"].size)
        found = contents.read(files)
        if not found.versions and not may_be_empty:
            raise Wrong(Problems([Problem(files["series"].path.name, 0, "the file", NO_SERIES)]))
        if not dry_run:
            _replace(found, files["series"], digest)
    return found


def put_sample() -> None:
    """Where nothing was loaded, and in the place of itself when its tables have another format."""
    edition = Edition.objects.first()
    files = folder.files_of(SAMPLE, Progress(sys.stderr))
    if edition is None or edition.digest.partition("-")[2] == folder.digest_of(files):
        load(SAMPLE)


def _replace(found: Contents, series_file: CsvFile, digest: str) -> None:
    with transaction.atomic():
        for model in (Edition, Tag, Owner, Chapter, SeriesVersion):
            model._default_manager.all().delete()
        _insert(Tag, ((number, *row) for number, row in enumerate(found.tags)))
        _insert(SeriesVersion, _versions(series_file))
        for owners in found.owners:
            _store(owners, found)
        Edition.objects.create(identity=uuid.uuid4().hex, digest=digest, loaded=timezone.now())
    if connection.vendor == "sqlite":
        _shorten_log()


def _shorten_log() -> None:
    """The log of a large load would otherwise keep its size for ever; what was loaded stands without this."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (DatabaseError, KeyboardInterrupt):
        log.warning("the catalogue is loaded, but the log of the database could not be shortened")


def _versions(file: CsvFile) -> Iterator[Sequence[str | None]]:
    try:
        for batch in file.batches(folder.COLUMNS["series"]):
            for row in batch.rows:
                # Spec 2.2: notes are absent, or they say something.
                yield *row[:-1], row[-1] or None
    except Unreadable as error:
        # It was good when it was read for the first time.
        raise Wrong(Problems([Problem(file.path.name, error.line, "the line", str(error))])) from None


def _store(owners: Owners, found: Contents) -> None:
    for place, (number, name) in enumerate(owners.rows):
        members = owners.members[owners.members_at[place] : owners.members_at[place + 1]]
        own = packed(members, found.series)
        key = (owners.kind, int(number))
        _insert(Owner, iter([(*key, name, own.counts, own.history)]))
        _insert(Chapter, _chapters(key, own))


def _chapters(key: tuple[str, int], own: Packed) -> Iterator[tuple[Any, ...]]:
    for tale, chapters in (("begun", own.begun), ("ended", own.ended)):
        for place, (first_day, series) in enumerate(chapters):
            yield *key, tale, first_day, place, series


def _insert(model: type[Model], rows: Iterator[Any]) -> None:
    """Rows are tuples in the order of the model's fields; the ORM would take three times as long."""
    columns = [str(field.column) for field in model._meta.local_fields if field.name != "id"]
    names = ", ".join(map(connection.ops.quote_name, columns))
    table = connection.ops.quote_name(model._meta.db_table)
    places = ", ".join(["%s"] * len(columns))
    # Nothing in it comes from outside.
    statement = f"INSERT INTO {table} ({names}) VALUES ({places})"  # noqa: S608
    with connection.cursor() as cursor:
        # Django would hold all rows of one call in memory.
        while some := list(islice(rows, 5000)):
            cursor.executemany(statement, some)
