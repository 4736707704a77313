"""Empty lines, long values and missing folders: the messages name them."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.builders import write_catalogue
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
