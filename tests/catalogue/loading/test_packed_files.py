"""A24: a load of a large or truncated gzip file takes little memory and names the line."""

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import write_catalogue
from tests.catalogue.api_calls import a_catalogue

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
MIB = 1 << 20


def dry_run(folder: Path) -> str:
    """Return the output of the command in a process of 500 MB of address space."""

    def little_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (500 * MIB, 500 * MIB))

    done = subprocess.run(
        [sys.executable, "manage.py", "load_catalogue", "--dry-run", str(folder)],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=little_memory,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def packed(folder: Path, content: bytes, keep: float = 1.0) -> None:
    write_catalogue(folder, **a_catalogue({"A": ["usa"]}))
    (folder / "series.csv").unlink()
    body = gzip.compress(content, 9)
    (folder / "series.csv.gz").write_bytes(body[: int(len(body) * keep)])


@pytest.mark.parametrize(
    ("start", "piece", "words"),
    [
        (b"", b"\0", "series.csv.gz, line 1, the file: is not UTF-8 but UTF-16"),
        (b"id,\n", b"x", "series.csv.gz, line 2, the file: has a line longer than"),
        (b"", b"\n", "unpacks to more than 200 times its size"),
    ],
    ids=["zeros", "one line", "empty lines"],
)
def test_compression_bomb_is_refused_in_little_memory(tmp_path: Path, start: bytes, piece: bytes, words: str) -> None:
    packed(tmp_path, start + piece * (300 * MIB))

    assert words in dry_run(tmp_path)


def test_long_line_is_reported_by_number(tmp_path: Path) -> None:
    write_catalogue(tmp_path, **a_catalogue({"A": ["usa"]}))
    with (tmp_path / "series.csv").open("a") as file:
        file.write("x" * (2 * MIB) + "\n")

    assert "series.csv, line 3, the file: has a line longer than 1,048,576 bytes" in dry_run(tmp_path)


def test_truncated_gzip_file_is_reported_by_its_last_line(tmp_path: Path) -> None:
    lines = [f"{number},{os.urandom(20).hex()}\n".encode() for number in range(100_000)]
    packed(tmp_path, b"".join(lines), keep=0.5)

    said = dry_run(tmp_path)
    line = int(said.partition("series.csv.gz, line ")[2].partition(",")[0])

    assert "cannot be read (Compressed file ended before the end-of-stream marker was reached)" in said
    assert 40_000 < line < 60_000
