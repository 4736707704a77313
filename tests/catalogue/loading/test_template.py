"""`load_catalogue --template`, and the description of the columns."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from econweb.catalogue.loading.file_format import COLUMNS
from tests.catalogue.api_calls import load

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "catalogue.md"


@pytest.mark.django_db(transaction=True)
def test_template_can_be_loaded(tmp_path: Path) -> None:
    call_command("load_catalogue", "--template", tmp_path / "new")

    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(f"{name}.csv" for name in COLUMNS)
    assert load(tmp_path / "new") == "1 versions of series, 1 tags, 1 categories and 1 releases are loaded.\n"


@pytest.mark.parametrize("name", ["folder", "file"])
def test_template_replaces_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.csv").write_text("mine")
    (tmp_path / "file").write_text("mine")

    with pytest.raises(CommandError, match="is in use already"):
        call_command("load_catalogue", "--template", tmp_path / name)

    assert len(list(tmp_path.rglob("*.csv"))) == 1


def test_document_has_each_column_of_each_file() -> None:
    found: dict[str, list[str]] = {}
    for file, columns in re.findall(r"^\|([^|]*)\|([^|]+)\|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE):
        files = re.findall(r"`([a-z_]+)`", file) or list(found)[-1:]
        for name in files:
            found.setdefault(name, []).extend(re.findall(r"`([a-z_]+)`", columns))

    assert found == {name: list(columns) for name, columns in COLUMNS.items()}


@pytest.mark.parametrize("other", ["--dry-run", "--empty"])
def test_template_is_refused_with_options_of_a_load(tmp_path: Path, other: str) -> None:
    with pytest.raises(CommandError, match=r"--template only writes files\. Leave out --dry-run and --empty\."):
        call_command("load_catalogue", "--template", other, tmp_path / "new")

    assert not (tmp_path / "new").exists()
