"""The files of a catalogue: their columns and the check of each field."""

import hashlib
from pathlib import Path

from econweb.catalogue.loading import field_checks
from econweb.catalogue.loading.csv_files import CsvFile, Problem, Problems, Unreadable
from econweb.catalogue.loading.field_checks import Check
from econweb.catalogue.loading.progress import Progress

# The owners of the contract (spec 4.3 and 4.4), and their plurals in file names.
KINDS = {"category": "categories", "release": "releases"}
COLUMNS: dict[str, dict[str, Check]] = {
    "series": {
        "id": field_checks.series_id,
        "realtime_start": field_checks.realtime_day,
        "realtime_end": field_checks.realtime_day,
        "title": field_checks.text,
        "observation_start": field_checks.day,
        "observation_end": field_checks.day,
        "frequency": field_checks.text,
        "frequency_short": field_checks.text,
        "units": field_checks.text,
        "units_short": field_checks.text,
        "seasonal_adjustment": field_checks.text,
        "seasonal_adjustment_short": field_checks.text,
        "last_updated": field_checks.timestamp,
        "popularity": field_checks.popularity,
        "notes": field_checks.any_text,
    },
    "tags": {
        "name": field_checks.tag_name,
        "group_id": field_checks.group_id,
        "notes": field_checks.any_text,
        "created": field_checks.timestamp,
        "popularity": field_checks.popularity,
    },
    "categories": {"category_id": field_checks.number, "name": field_checks.text},
    "releases": {"release_id": field_checks.number, "name": field_checks.text},
    # Links are checked against the files that they join.
    "series_tags": {"series_id": field_checks.text, "tag_name": field_checks.text},
    "series_categories": {"series_id": field_checks.text, "category_id": field_checks.text},
    "series_releases": {"series_id": field_checks.text, "release_id": field_checks.text},
}
Files = dict[str, CsvFile]


def files_of(folder: Path, progress: Progress) -> Files:
    return {name: CsvFile(folder, name, progress) for name in COLUMNS}


def digest_of(files: Files) -> str:
    """Return the digest of all files; from here on no file may change."""
    problems, digest = Problems(), hashlib.sha256()
    for file in files.values():
        try:
            digest.update(f"{file.name} {file.digest()}\n".encode())
        except Unreadable as error:
            problems.add(Problem(file.path.name, error.line, "the file", str(error)))
    problems.end()
    return digest.hexdigest()
