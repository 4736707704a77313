"""Replace the catalogue's tables by CSV files, in one transaction."""

import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from econweb.catalogue.counts import EncodedCounts, encode_counts
from econweb.catalogue.loading import contents, file_format
from econweb.catalogue.loading.contents import Contents, Owners
from econweb.catalogue.loading.csv_files import CsvFile
from econweb.catalogue.loading.lock import exclusive_lock
from econweb.catalogue.loading.problems import InvalidCatalogue, Problem, Problems, Unreadable
from econweb.catalogue.loading.progress import Progress
from econweb.catalogue.models import FORMAT, Checkpoint, Edition, Owner, SeriesVersion, Tag

log = structlog.get_logger("econweb.catalogue")
# A step in the transaction of a load, after its tables are written.
AfterLoad = Callable[[Edition, Contents], None]
SAMPLE = Path(__file__).resolve().parents[1] / "sample"

NO_SERIES = "has no series. Is this the right folder? Use --empty to load it anyway"


def load(path: Path, after_load: AfterLoad, dry_run: bool = False, may_be_empty: bool = False) -> Contents | None:
    """Replace the catalogue by the one in the folder; return None when it is loaded already.

    Everything is checked before the first row is written. Then one transaction replaces all tables, so a
    process that ends on the way leaves the old catalogue as it was.
    """
    with exclusive_lock(settings.DATA_DIR / "load_catalogue.lock"), Progress(sys.stderr) as progress:
        files = file_format.files_of(path, progress)
        problems = Problems()
        digest = f"{FORMAT}-{file_format.digest_of(files, problems)}"
        if not dry_run and not problems.found and Edition.objects.filter(digest=digest).exists():
            return None
        # The texts of the series are read a second time when they are stored.
        progress.expect(sum(file.size for file in files.values()) + files["series"].size)
        found = contents.read_contents(files, problems)
        if not found.versions and not may_be_empty:
            raise InvalidCatalogue(Problems([Problem(files["series"].path.name, 0, "the file", NO_SERIES)]))
        if not dry_run:
            _replace(found, files["series"], digest, after_load)
    return found


def load_sample_if_due(after_load: AfterLoad) -> None:
    """Load the sample into an empty catalogue, and again when its tables have another format."""
    edition = Edition.objects.first()
    if edition is None or is_sample(edition):
        load(SAMPLE, after_load)


def is_sample(edition: Edition) -> bool:
    """Return whether the edition has the files of the sample, in any format of the tables."""
    files = file_format.files_of(SAMPLE, Progress(sys.stderr))
    return edition.digest.partition("-")[2] == file_format.digest_of(files, Problems())


def _replace(found: Contents, series_file: CsvFile, digest: str, after_load: AfterLoad) -> None:
    with transaction.atomic():
        for model in (Edition, Tag, Owner, Checkpoint, SeriesVersion):
            model._default_manager.all().delete()
        _insert(Tag, ((number, *row) for number, row in enumerate(found.tags)))
        _insert(SeriesVersion, _version_rows(series_file))
        for owners in found.owners:
            _store(owners, found)
        edition = Edition.objects.create(identity=uuid.uuid4().hex, digest=digest, loaded=timezone.now())
        after_load(edition, found)
    if connection.vendor == "sqlite":
        _shorten_log()


def _shorten_log() -> None:
    """Truncate the database's log, which would keep the size of a large load for ever."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (DatabaseError, KeyboardInterrupt):
        log.warning("the catalogue is loaded, but the log of the database could not be shortened")


def _version_rows(file: CsvFile) -> Iterator[Sequence[str | None]]:
    try:
        for batch in file.batches(file_format.COLUMNS["series"]):
            for row in batch.rows:
                # Contract, `Series`: notes are absent or not empty.
                yield *row[:-1], row[-1] or None
    except Unreadable as error:
        # The first pass found no error, so the file has changed since.
        raise InvalidCatalogue(Problems([Problem(file.path.name, error.line, "the line", str(error))])) from None


def _store(owners: Owners, found: Contents) -> None:
    for index, (number, name, *_) in enumerate(owners.rows):
        members = owners.members[owners.members_at[index] : owners.members_at[index + 1]]
        own = encode_counts(members, found.series)
        key = (owners.kind, int(number))
        _insert(Owner, iter([(*key, name, own.counts, own.history)]))
        _insert(Checkpoint, _checkpoint_rows(key, own))


def _checkpoint_rows(key: tuple[str, int], own: EncodedCounts) -> Iterator[tuple[Any, ...]]:
    for event, checkpoints in (("begun", own.started), ("ended", own.ended)):
        for index, (first_day, series) in enumerate(checkpoints):
            yield *key, event, first_day, index, series


def _insert(model: type[Model], rows: Iterator[Any]) -> None:
    """Insert tuples in the order of the model's fields; the ORM takes three times as long."""
    columns = [str(field.column) for field in model._meta.local_fields if field.name != "id"]
    names = ", ".join(map(connection.ops.quote_name, columns))
    table = connection.ops.quote_name(model._meta.db_table)
    placeholders = ", ".join(["%s"] * len(columns))
    # Table and columns come from the model, not from input.
    statement = f"INSERT INTO {table} ({names}) VALUES ({placeholders})"  # noqa: S608
    with connection.cursor() as cursor:
        # Django would hold all rows of one call in memory.
        while some := list(islice(rows, 5000)):
            cursor.executemany(statement, some)
