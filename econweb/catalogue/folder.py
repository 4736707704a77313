"""The files of a catalogue: their columns, and what each field may hold."""

import hashlib
from pathlib import Path

from econweb.catalogue import checks
from econweb.catalogue.checks import Check
from econweb.catalogue.csv_files import CsvFile, Problem, Problems, Unreadable
from econweb.catalogue.progress import Progress

# The owners of the contract (spec 4.3 and 4.4), and the words for them in the names of files.
KINDS = {"category": "categories", "release": "releases"}
COLUMNS: dict[str, dict[str, Check]] = {
    "series": {
        "id": checks.series_id,
        "realtime_start": checks.realtime_day,
        "realtime_end": checks.realtime_day,
        "title": checks.text,
        "observation_start": checks.day,
        "observation_end": checks.day,
        "frequency": checks.text,
        "frequency_short": checks.text,
        "units": checks.text,
        "units_short": checks.text,
        "seasonal_adjustment": checks.text,
        "seasonal_adjustment_short": checks.text,
        "last_updated": checks.timestamp,
        "popularity": checks.popularity,
        "notes": checks.any_text,
    },
    "tags": {
        "name": checks.tag_name,
        "group_id": checks.group_id,
        "notes": checks.any_text,
        "created": checks.timestamp,
        "popularity": checks.popularity,
    },
    "categories": {"category_id": checks.number, "name": checks.text},
    "releases": {"release_id": checks.number, "name": checks.text},
    # A link holds what stands in the files that it joins.
    "series_tags": {"series_id": checks.text, "tag_name": checks.text},
    "series_categories": {"series_id": checks.text, "category_id": checks.text},
    "series_releases": {"series_id": checks.text, "release_id": checks.text},
}
Files = dict[str, CsvFile]


def files_of(folder: Path, progress: Progress) -> Files:
    return {name: CsvFile(folder, name, progress) for name in COLUMNS}


def digest_of(files: Files) -> str:
    """Of all that the files hold; from here on no file may change."""
    problems, digest = Problems(), hashlib.sha256()
    for file in files.values():
        try:
            digest.update(f"{file.name} {file.digest()}\n".encode())
        except Unreadable as error:
            problems.add(Problem(file.path.name, error.line, "the file", str(error)))
    problems.end()
    return digest.hexdigest()
