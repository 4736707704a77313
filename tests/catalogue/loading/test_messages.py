"""Empty lines, long values and missing folders: the messages name them."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.builders import a_series, write_catalogue
from tests.catalogue.api_calls import LOADED, a_catalogue, a_tag, load
from tests.catalogue.loading.test_invalid_files import SHORTEST, problems

pytestmark = pytest.mark.django_db(transaction=True)


def test_empty_lines_at_the_end_are_no_rows(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes() + b"\r\n\n")

    assert load(folder) == LOADED


def test_empty_line_within_a_file_is_reported(tmp_path: Path) -> None:
    files = a_catalogue({f"S{number}": ["usa"] for number in range(10_050)})
    path = write_catalogue(tmp_path, **files) / "series_tags.csv"
    lines = path.read_bytes().splitlines(keepends=True)
    # The last line of the first batch.
    path.write_bytes(b"".join([*lines[:10_000], b"\r\n", *lines[10_000:]]))

    assert problems(tmp_path) == ["series_tags.csv, line 10001, the line: is empty: delete it"]


def test_long_value_is_cut(tmp_path: Path) -> None:
    files = a_catalogue({"A": ["usa"]})
    files["tags"].append(a_tag("x", popularity="9" * 100))

    assert problems(write_catalogue(tmp_path, **files)) == [
        f"tags.csv, line {len(files['tags']) + 1}, popularity: '{'9' * 40}'… {SHORTEST}"
    ]


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=f"There is no folder {tmp_path / 'none'}. Nothing is loaded."):
        load(tmp_path / "none")


def test_load_reports_the_problems_of_all_files_at_once(tmp_path: Path) -> None:
    files = a_catalogue({"A": ["usa"], "B": ["usa"]})
    files["series"].append(a_series(id="c"))
    files["categories"].append({"category_id": "1.5", "name": "x"})
    files["series_tags"].append({"series_id": "A", "tag_name": "unknown"})
    # What the categories are is not known.
    files["series_categories"].append({"series_id": "A", "category_id": "77"})
    write_catalogue(tmp_path, **files)
    (tmp_path / "releases.csv").unlink()
    # Of these releases nothing is known, so that only an empty one is wrong.
    with (tmp_path / "series_releases.csv").open("a", encoding="utf-8") as links:
        links.write('A,53\nA,""\n')

    assert [line.partition(":")[0] for line in problems(tmp_path)] == [
        "releases.csv, the file",
        "series.csv, line 4, id",
        f"categories.csv, line {len(files['categories']) + 1}, category_id",
        f"series_tags.csv, line {len(files['series_tags']) + 1}, tag_name",
        f"series_releases.csv, line {len(files['series_releases']) + 3}, release_id",
    ]
