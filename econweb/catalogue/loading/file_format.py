"""The files of a catalogue: their columns and the check of each field."""

import csv
import hashlib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from django.db.models import Model

from econweb.catalogue.loading import field_checks
from econweb.catalogue.loading.csv_files import CsvFile
from econweb.catalogue.loading.field_checks import Check
from econweb.catalogue.loading.problems import Problem, Problems, Unreadable
from econweb.catalogue.loading.progress import Progress
from econweb.catalogue.models import SeriesVersion, Tag

# The kinds of tag owners, and their plurals in file names.
KINDS = {"category": "categories", "release": "releases"}
# The checks of fields whose names say more than their types.
_CHECKS_BY_NAME = {
    "id": field_checks.series_id,
    "realtime_start": field_checks.realtime_day,
    "realtime_end": field_checks.realtime_day,
    "last_updated": field_checks.timestamp,
    "created": field_checks.timestamp,
    "notes": field_checks.any_text,
    "name": field_checks.tag_name,
    "group_id": field_checks.group_id,
}
_CHECKS_BY_TYPE = {
    "DateField": field_checks.day,
    "IntegerField": field_checks.whole_number,
    "TextField": field_checks.text,
}


def _columns_of(model: type[Model]) -> dict[str, Check]:
    """Return the columns of a table's file: the fields of its model, in their order."""
    columns: dict[str, Check] = {}
    for field in model._meta.local_fields:
        if not field.primary_key:
            # Django keeps the name `id` for the primary key.
            name = "id" if field.name == "series_id" else field.name
            columns[name] = _CHECKS_BY_NAME.get(name) or _CHECKS_BY_TYPE[field.get_internal_type()]
    return columns


COLUMNS: dict[str, dict[str, Check]] = {
    "series": _columns_of(SeriesVersion),
    "tags": _columns_of(Tag),
    "categories": {
        "category_id": field_checks.number,
        "name": field_checks.text,
        "parent_id": field_checks.parent,
    },
    "releases": {"release_id": field_checks.number, "name": field_checks.text},
    # Links are checked against the files that they join.
    "series_tags": {"series_id": field_checks.text, "tag_name": field_checks.text},
    "series_categories": {"series_id": field_checks.text, "category_id": field_checks.text},
    "series_releases": {"series_id": field_checks.text, "release_id": field_checks.text},
}
# Older catalogues lack this last column.
OPTIONAL = {"categories": "parent_id"}
Files = dict[str, CsvFile]


def columns_of(file: CsvFile) -> dict[str, Check]:
    """Return the columns that a file has; its digest has to be computed before."""
    columns, last = dict(COLUMNS[file.name]), OPTIONAL.get(file.name, "")
    if last and not file.first_line.replace('"', "").endswith(f",{last}"):
        del columns[last]
    return columns


def files_of(folder: Path, progress: Progress) -> Files:
    return {name: CsvFile(folder, name, progress) for name in COLUMNS}


def write_file(folder: Path, name: str, rows: Iterable[Iterable[object]]) -> None:
    """Write a file with a header; each row has a value for every column."""
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(chain([COLUMNS[name]], rows))


def digest_of(files: Files, problems: Problems) -> str:
    """Return the digest of all files that can be read; from here on no file may change."""
    digest = hashlib.sha256()
    for file in files.values():
        try:
            digest.update(f"{file.name} {file.digest()}\n".encode())
        except Unreadable as error:
            problems.add(Problem(file.path.name, error.line, "the file", str(error)))
    return digest.hexdigest()
