"""Files in, tables out: checked whole, all or nothing."""

import csv
import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from econweb.catalogue.loading import lock
from econweb.catalogue.models import Edition
from tests.builders import write_catalogue
from tests.catalogue.api_calls import LOADED, WHOLE, Ask, a_catalogue, load

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_load_skips_the_same_files(folder: Path) -> None:
    first = load(folder)
    edition = Edition.objects.get()

    assert first == LOADED
    assert load(folder) == "These files are loaded already. Nothing is changed.\n"
    assert Edition.objects.get().identity == edition.identity


def test_load_treats_compressed_files_as_the_same(folder: Path) -> None:
    load(folder)
    for path in folder.glob("*.csv"):
        path.with_suffix(".csv.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()

    assert "already" in load(folder)
    Edition.objects.all().delete()
    assert load(folder) == LOADED


def test_load_dry_run_checks_and_changes_nothing(folder: Path) -> None:
    assert load(folder, "--dry-run") == f"{WHOLE} would be loaded. Nothing is changed.\n"
    assert not Edition.objects.exists()


def test_load_of_a_folder_without_series_needs_the_option(folder: Path, ask: Ask) -> None:
    load(folder)
    write_catalogue(folder)

    with pytest.raises(CommandError) as refused:
        load(folder)

    words = "has no series. Is this the right folder? Use --empty to load it anyway"
    assert str(refused.value).splitlines()[1:] == [f"series.csv, the file: {words}"]
    assert ask("series", series_id="A")[0] == 200
    assert load(folder, "--empty").startswith("0 versions of series, 0 tags")
    assert ask("series", series_id="A")[0] == 400


def test_load_replaces_the_old_catalogue(folder: Path, ask: Ask) -> None:
    load(folder)
    before = ask("release/tags", release_id="53", order_by="name")[1]
    write_catalogue(folder, **a_catalogue({"C": ["zzz"]}))
    load(folder)
    after = ask("release/tags", release_id="53")[1]

    assert [tag["name"] for tag in before["tags"]] == ["sa", "usa"]
    assert [tag["name"] for tag in after["tags"]] == ["zzz"]
    assert ask("series", series_id="A")[0] == 400


def test_load_of_an_invalid_file_keeps_old_catalogue(folder: Path, ask: Ask) -> None:
    load(folder)
    with (folder / "series.csv").open("a", newline="") as file:
        csv.writer(file).writerow(["bad"])

    with pytest.raises(CommandError, match="Nothing is loaded"):
        load(folder)

    assert ask("series", series_id="A")[0] == 200


def test_second_load_is_refused_and_names_the_first(folder: Path) -> None:
    """P11"""
    with lock.exclusive_lock(settings.DATA_DIR / "load_catalogue.lock"), pytest.raises(CommandError) as refused:
        load(folder)

    assert f"Another load is under way: process {os.getpid()} on " in str(refused.value)


def test_load_on_a_full_disk_keeps_old_catalogue(tmp_path: Path) -> None:
    """P2: in a process of its own, whose files may not grow beyond a bound."""
    (tmp_path / "files").mkdir()
    files = write_catalogue(tmp_path / "files", **a_catalogue({f"S{n}": ["usa"] for n in range(5000)}))
    first = tmp_path / "first"
    first.mkdir()
    write_catalogue(first, **a_catalogue({"A": ["usa"]}))
    manage(tmp_path, "migrate", "-v0")
    manage(tmp_path, "load_catalogue", str(first))

    full = manage(tmp_path, "load_catalogue", str(files), bytes_a_file=1_000_000)

    assert full.returncode == 1
    assert full.stderr.splitlines()[-1].startswith("CommandError: Nothing is loaded. The catalogue cannot be written:")
    assert "already" in manage(tmp_path, "load_catalogue", str(first)).stdout
    assert "5000 versions" in manage(tmp_path, "load_catalogue", str(files)).stdout


def manage(data: Path, *arguments: str, bytes_a_file: int = resource.RLIM_INFINITY) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_a_file, resource.RLIM_INFINITY))

    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        env={**os.environ, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "econweb.settings"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
