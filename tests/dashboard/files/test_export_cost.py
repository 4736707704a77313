"""The memory that an export takes, and that LaTeX typesets it."""

import re
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.files import growth_of_another_process
from econweb.dashboard.files.latex_format import TEX
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import file_response
from econweb.dashboard.files.sheet import Row
from econweb.dashboard.files.streaming import stream
from tests.dashboard.files.sheets import HOSTILE, tag_rows, tag_sheet
from tests.programs import program

# To close an answer looks at the connection, if there is one.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs,longtable}
\begin{document}
\input{tags.tex}
\end{document}
"""


def coming(count: int) -> Iterator[Row]:
    """Yield rows that are never all in memory."""
    for _ in range(count // 1000):
        yield from tag_rows(HOSTILE, 1000)


def most_memory(suffix: str, rows: int) -> int:
    tracemalloc.start()
    try:
        response = file_response(tag_sheet(coming(rows)), suffix)
        for _ in response:
            pass
        response.close()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_export_memory_does_not_grow_with_rows(suffix: str) -> None:
    few, many = most_memory(suffix, 1000), most_memory(suffix, 6000)

    assert many < few + 500_000
    assert many < 30_000_000


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "json"])
def test_export_of_60000_rows_stays_within_30_megabytes(suffix: str) -> None:
    assert 0 <= growth_of_another_process(suffix, 60_000) < 30


def test_export_is_sent_500_lines_at_a_time() -> None:
    """Each chunk costs a call through the server, whatever its length."""
    rows = tag_rows(["a"], 1200)
    chunks = [chunk.count(b"2012-02-27") for chunk in stream(tag_sheet(rows), TEX)]

    # The head is the first line.
    assert chunks == [499, 500, 201]


def test_latex_tag_table_fits_an_article_page(tmp_path: Path) -> None:
    names = ["not seasonally adjusted", "gross domestic product", "usa", "united states of america"]
    notes = "What the tag stands for, in the words of those who gave it to a series"
    rows: list[Row] = [(names[n % 4], "freq", notes, "2012-02-27 10:18:19-06", 100 - n, 20_000 - n) for n in range(50)]
    (tmp_path / "tags.tex").write_bytes(b"".join(stream(tag_sheet(rows), TEX)))
    (tmp_path / "document.tex").write_text(DOCUMENT)
    command = [program("pdflatex"), "-halt-on-error", "-interaction=nonstopmode", "document.tex"]
    for _ in range(2):
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60)

    log = (tmp_path / "document.log").read_text()
    assert [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)] == []


def test_latex_typesets_hostile_text_without_error(tmp_path: Path) -> None:
    (tmp_path / "tags.tex").write_bytes(b"".join(stream(tag_sheet(tag_rows(HOSTILE, 188)), TEX)))
    (tmp_path / "document.tex").write_text(DOCUMENT)
    command = [program("pdflatex"), "-halt-on-error", "-interaction=nonstopmode", "document.tex"]

    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)

    assert run.returncode == 0, run.stdout[-2000:]
    assert (tmp_path / "document.pdf").stat().st_size > 10_000
