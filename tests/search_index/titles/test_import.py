"""manage.py series import: all rows of the file or none."""

import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from econweb.search_index.models import SeriesTitle
from econweb.search_index.titles.find import TitleQuery, find

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "titles.csv"


def import_file(file: Path, text: str | bytes) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    out = StringIO()
    call_command("series", "import", str(file), stdout=out)
    return out.getvalue()


def found(text: str) -> list[str]:
    return [row.series_id for row in find(TitleQuery(text)).rows]


def test_import_adds_and_replaces_titles(file: Path) -> None:
    first = import_file(file, '\ufeffid,title\r\nzn,Zinc price\r\nSN,"Tin, São Paulo"\r\n')
    again = import_file(file, "id,title\nZN,Zinc price\nSN,Lead\n")

    assert "2 titles were read" in first
    assert "2 of them new" in first
    assert "1 of them new" in again
    assert (found("zinc"), found("tin"), found("lead")) == (["ZN"], [], ["SN"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The first line must be: id,title"),
        ("title,id\nZinc,ZN\n", "The first line must be"),
        ("id,title\nZN,Zinc\nSN\n", "Line 3: it does not have 2 columns"),
        ("id,title\nZN,Zinc\nS N,Tin\n", "Line 3, id"),
        (f"id,title\nZN,Zinc\n{'x' * 26},Tin\n", "Line 3, id"),
        ("id,title\nZN,Zinc\nSN,\n", "Line 3, title"),
        ("id,title\nZN,Zinc\nSN,a\x1bb\n", "Line 3, title"),
        ("id,title\nZN,Zinc\nSN,a\u202eb\n", "Line 3, title"),
        ("id,title\nZN,Zinc\nSN,a\u2028b\n", "Line 3, title"),
        (f"id,title\nZN,Zinc\nSN,{'x' * 1001}\n", "Line 3, title"),
        ('id,title\nZN,Zinc\nSN,"Tin\nCU,Copper\n', "Line 3: it is not valid CSV .+ Is a quotation mark missing"),
        (b"id,title\nZN,Zinc\nSN,\xff\n", "UTF-8"),
    ],
)
def test_import_of_an_invalid_file_changes_nothing(file: Path, text: str, reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        import_file(file, text)

    assert not SeriesTitle.objects.exists()


def test_import_from_a_pipe_asks_for_a_file() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"id,title\nZN,Zinc\n")
    os.close(writing)

    with pytest.raises(CommandError, match=rf"^/dev/fd/{reading} is a pipe\. Write the titles into a file"):
        call_command("series", "import", f"/dev/fd/{reading}")
    os.close(reading)


def test_import_names_a_missing_file(file: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("series", "import", str(file))
