"""Invalid files: each problem is reported with its place and reason, and nothing is loaded."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from econweb.catalogue.loading import load as loading
from econweb.catalogue.models import Edition
from tests.builders import a_series, write_catalogue
from tests.catalogue.api_calls import LOADED, Ask, Rows, a_catalogue, a_tag, load

pytestmark = pytest.mark.django_db(transaction=True)


def problems(folder: Path) -> list[str]:
    with pytest.raises(CommandError) as wrong:
        load(folder)
    assert not Edition.objects.exists()
    return str(wrong.value).splitlines()[1:]


STAMP = "is not a time written YYYY-MM-DD HH:MM:SS and an offset of two digits"
SHORTEST = "is not a whole number such as 0 or 12"
OFFSET = "'2013-07-31 09:26:16+23' has an offset beyond -12 and +14, which no time zone has"
LONG = "a title\nof two lines"
WRONG: dict[str, tuple[Callable[[dict[str, Rows]], object], list[str]]] = {
    "a day": (
        lambda files: files["series"].append(a_series(id="C", observation_end="2020-02-30")),
        ["series.csv, line 4, observation_end: '2020-02-30' is not a day written YYYY-MM-DD"],
    ),
    "lines within fields": (
        lambda files: files["series"].extend([a_series(id="C", title=LONG), a_series(id="d")]),
        ["series.csv, line 6, id: 'd' is not one to 25 of A-Z, 0-9 and _"],
    ),
    "a period that ends before it begins": (
        lambda files: files["series"].append(a_series(id="C", realtime_end="2012-12-31")),
        ["series.csv, line 4, realtime_end: is before realtime_start"],
    ),
    "observations that end before they begin": (
        lambda files: files["series"].append(a_series(id="C", observation_end="1928-12-31")),
        ["series.csv, line 4, observation_end: is before observation_start"],
    ),
    "a version twice": (
        lambda files: files["series"].append(a_series(id="A")),
        ["series.csv, line 4, realtime_start: this version of the series overlaps an earlier one"],
    ),
    "a sign that XML cannot represent": (
        lambda files: files["series"].append(a_series(id="C", notes="a\x0bb")),
        ["series.csv, line 4, notes: 'a\\x0bb' has the character U+000B, which XML cannot represent"],
    ),
    "a title of blanks": (
        lambda files: files["series"].append(a_series(id="C", title=" \t\u00a0")),
        ["series.csv, line 4, title: ' \\t\\xa0' has only spaces"],
    ),
    "an empty title": (
        lambda files: files["series"].append(a_series(id="C", title="")),
        ["series.csv, line 4, title: is empty"],
    ),
    "an offset": (
        lambda files: files["series"].append(a_series(id="C", last_updated="2013-07-31 09:26:16+23")),
        [f"series.csv, line 4, last_updated: {OFFSET}"],
    ),
    "numbers written oddly": (
        lambda files: files["tags"].extend([a_tag("x", popularity="007"), a_tag("y", popularity="-0")]),
        [f"tags.csv, line {line}, popularity: '{value}' {SHORTEST}" for line, value in ((4, "007"), (5, "-0"))],
    ),
    "a group": (
        lambda files: files["tags"].append(a_tag("new", group_id="cc")),
        ["tags.csv, line 4, group_id: 'cc' is not one of freq, gen, geo, geot, rls, seas, src"],
    ),
    "a tag twice": (
        lambda files: files["tags"].append(a_tag("usa")),
        ["tags.csv, line 4, name: is on an earlier line already"],
    ),
    "a link to nothing": (
        lambda files: files["series_tags"].append({"series_id": "A", "tag_name": "unknown"}),
        ["series_tags.csv, line 5, tag_name: 'unknown' is not in the file that it refers to"],
    ),
    "a link twice": (
        lambda files: files["series_tags"].append({"series_id": "A", "tag_name": "usa"}),
        ["series_tags.csv, line 5, tag_name: is on an earlier line already"],
    ),
    "several": (
        lambda files: files["tags"].extend([a_tag(" x", popularity="1.5"), a_tag("a;b", created="2020")]),
        [
            "tags.csv, line 4, name: ' x' begins or ends with a space, or has a character that no request can hold",
            "tags.csv, line 5, name: 'a;b' has a semicolon, or is not in the composed form of Unicode (NFC)",
            f"tags.csv, line 5, created: '2020' {STAMP}",
            f"tags.csv, line 4, popularity: '1.5' {SHORTEST}",
        ],
    ),
}


@pytest.mark.parametrize(("change", "expected"), WRONG.values(), ids=WRONG)
def test_invalid_row_is_reported_by_line_and_column(
    tmp_path: Path, change: Callable[[dict[str, Rows]], object], expected: list[str]
) -> None:
    """P12"""
    files = a_catalogue({"A": ["usa", "sa"], "B": ["usa"]})
    change(files)

    assert problems(write_catalogue(tmp_path, **files)) == expected


def test_values_that_the_contract_allows_are_not_changed(folder: Path, ask: Ask) -> None:
    odd = {
        "title": " A  title\n",
        "units_short": "%, *",
        "popularity": "-31",
        "last_updated": "2013-07-31 09:26:16+14",
    }
    files = a_catalogue({"A": ["usa"]}) | {"series": [a_series(id="A", **odd)]}

    load(write_catalogue(folder, **files))

    _, reply = ask("series", series_id="A")
    assert {name: str(reply["seriess"][0][name]) for name in odd} == odd


HEADER = "it must be series_id,release_id"
ORDER = f"has its columns in another order: {HEADER}"
BLANK = f"lacks release_id and has the unknown ' release_id': {HEADER}"
SEMICOLONS = "seems to have semicolons between its columns: use commas"
QUOTES = "put quotes around a text with a comma"
UTF_16 = "is not UTF-8 but UTF-16: save the file as UTF-8"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda text: text[:-3],
            "line 3, the line: has no line end: the file is cut off, or needs a line break at its end",
        ),
        (
            lambda text: text.replace(b"A,53", b"\xe9,53"),
            "line 2, the line: is not UTF-8: save the file as UTF-8",
        ),
        (lambda text: text.decode().encode("utf-16"), f"line 1, the line: {UTF_16}"),
        (lambda text: text.decode().encode("utf-16-be"), f"line 1, the line: {UTF_16}"),
        (lambda text: text.decode().encode("utf-16-le"), f"line 1, the line: {UTF_16}"),
        (lambda text: text + b"A\n", "line 4, the line: has 1 field instead of 2"),
        (lambda text: text + b'"A,53\n', "line 4, the line: opens a quote that is never closed"),
        (
            lambda text: text.replace(b"release_id", b"id"),
            f"line 1, the line: lacks release_id and has the unknown 'id': {HEADER}",
        ),
        (lambda text: b"", f"line 1, the line: has no names of columns: {HEADER}"),
        (lambda text: text.replace(b"series_id,release_id", b"release_id,series_id"), f"line 1, the line: {ORDER}"),
        (lambda text: text.replace(b"release_id", b" release_id"), f"line 1, the line: {BLANK}"),
        (lambda text: text.replace(b",", b";"), f"line 1, the line: {SEMICOLONS}"),
        (lambda text: text.replace(b"A,53", b"A;53"), f"line 2, the line: {SEMICOLONS}"),
        (lambda text: text + b"A,5,3\n", f"line 4, the line: has 3 fields instead of 2: {QUOTES}"),
        (lambda text: text.replace(b"\n", b"\n\n"), "line 2, the line: is empty: delete it"),
        (lambda text: text.replace(b"A,53", b'"A,53'), "line 2, the line: opens a quote that is never closed"),
    ],
)
def test_unreadable_file_is_reported(folder: Path, change: Callable[[bytes], bytes], expected: str) -> None:
    """P12"""
    path = folder / "series_releases.csv"
    path.write_bytes(change(path.read_bytes().replace(b"\r\n", b"\n")))

    assert problems(folder) == [f"series_releases.csv, {expected}"]


def test_missing_and_a_truncated_file_are_reported(folder: Path) -> None:
    (folder / "tags.csv").unlink()
    path = folder / "releases.csv"
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(path.read_bytes())[:-9])
    path.unlink()

    assert [line.partition(" (")[0] for line in problems(folder)] == [
        "tags.csv, the file: cannot be opened",
        "releases.csv.gz, line 3, the file: cannot be read",
    ]


def test_file_present_plain_and_compressed_is_refused(folder: Path) -> None:
    (folder / "tags.csv.gz").write_bytes(gzip.compress((folder / "tags.csv").read_bytes()))

    assert problems(folder) == ["tags.csv, the file: is in the folder together with tags.csv.gz: delete one of them"]


def test_byte_order_mark_is_ignored(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert load(folder) == LOADED


def test_file_changed_during_the_load_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = loading._replace

    def change_first(*given: Any) -> None:
        with (folder / "series.csv").open("a", newline="") as file:
            csv.writer(file).writerow(a_series(id="Z").values())
        store(*given)

    monkeypatch.setattr(loading, "_replace", change_first)

    assert problems(folder) == ["series.csv, line 5, the line: was changed during the load"]


@pytest.mark.slow
def test_invalid_row_in_a_long_file_is_reported_by_line(tmp_path: Path) -> None:
    """P12: files are read in batches and blocks, and rows may hold several lines."""
    files = a_catalogue({f"S{number}": ["usa"] for number in range(25_000)})
    for row in files["series"][::2]:
        row["notes"] = "two\nlines"
    files["series"][24_000]["popularity"] = "many"

    assert problems(write_catalogue(tmp_path, **files)) == [f"series.csv, line 36002, popularity: 'many' {SHORTEST}"]


def test_problems_alike_are_counted(tmp_path: Path) -> None:
    files = a_catalogue({f"S{number}": ["usa"] for number in range(50)})
    for row in files["series"]:
        row["popularity"] = "many"

    assert problems(write_catalogue(tmp_path, **files)) == [
        *(f"series.csv, line {line}, popularity: 'many' {SHORTEST}" for line in (2, 3, 4)),
        "series.csv, popularity: 47 more lines are wrong",
    ]
