"""`manage.py make_catalogue`: files of any size, the same bytes each time, over no others."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from econweb.catalogue.loading import generate


def test_make_catalogue_reports_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(CommandError, match="a number from 0 on"):
        call_command("make_catalogue", str(tmp_path), series=-1)
    with pytest.raises(CommandError, match=r"The files cannot be written: .*Not a directory"):
        call_command("make_catalogue", str(tmp_path / "file" / "x"), series=1)


def test_make_catalogue_overwrites_no_files(tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_text("precious")

    with pytest.raises(CommandError) as refused:
        call_command("make_catalogue", str(tmp_path), series=1)

    assert str(refused.value) == f"The folder {tmp_path} is not empty: name a new one."
    assert [path.name for path in tmp_path.iterdir()] == ["series.csv"]
    assert (tmp_path / "series.csv").read_text() == "precious"


def test_make_catalogue_is_reproducible(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        generate.generate(300, seed, tmp_path / name)

    def files(name: str) -> list[bytes]:
        return [path.read_bytes() for path in sorted((tmp_path / name).iterdir())]

    assert files("one") == files("same")
    assert files("one") != files("other")
