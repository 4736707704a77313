"""The memory that an export takes, and that LaTeX typesets it."""

import re
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from bench.files import growth_of_another_process
from econweb.dashboard.files.latex_format import TEX
from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import file_response
from econweb.dashboard.files.sheet import Row
from econweb.dashboard.files.streaming import stream
from econweb.label_book.models import Label
from tests.builders import a_series
from tests.conftest import Loader
from tests.dashboard.files.sheets import HOSTILE, tag_rows, tag_sheet
from tests.fake_service import FakeService, a_tag
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


def points_too_wide(table: bytes, folder: Path) -> list[str]:
    """Typeset the table twice, as it learns the widths of its columns, and return what is too wide."""
    (folder / "tags.tex").write_bytes(table)
    (folder / "document.tex").write_text(DOCUMENT)
    command = [program("pdflatex"), "-halt-on-error", "-interaction=nonstopmode", "document.tex"]
    for _ in range(2):
        subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=60)
    return re.findall(r"Overfull \\hbox \(([\d.]+)pt", (folder / "document.log").read_text())


def test_latex_tag_table_fits_an_article_page(tmp_path: Path) -> None:
    names = ["not seasonally adjusted", "gross domestic product", "usa", "united states of america"]
    notes = "What the tag stands for, in the words of those who gave it to a series"
    rows: list[Row] = [(names[n % 4], "freq", notes, "2012-02-27 10:18:19-06", 100 - n, 20_000 - n) for n in range(50)]

    assert points_too_wide(b"".join(stream(tag_sheet(rows), TEX)), tmp_path) == []


def test_latex_series_list_fits_an_article_page(client: Client, catalogue: Loader, tmp_path: Path) -> None:
    """Nine columns, with the headings of the page, would be twice as wide as the paper in their own widths."""
    units = "Billions of Chained 2017 Dollars"
    adjustment = "Seasonally Adjusted Annual Rate"
    long = a_series(id="CPIAUCSL", title="All Employees, Total Nonfarm", seasonal_adjustment=adjustment)
    catalogue(series=[a_series(), a_series(id="GDPC1", frequency="Weekly, Ending Friday", units=units), long])
    table = client.get("/series.tex?ids=GNPCA,GDPC1,CPIAUCSL").getvalue()

    assert b"Series & Title & Units & Frequency & Seasonal adjustment &" in table.replace(rb"\hspace{0pt}", b"")
    assert points_too_wide(table, tmp_path) == []


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_latex_series_fits_an_article_page(client: Client, stand_in: FakeService, tmp_path: Path, count: int) -> None:
    """Its fifteen columns were too narrow for their words."""
    notes = 'Background: <a href="https://www.example.org/national/accounts/">national accounts of the Bureau</a>.'
    series = a_series(units="Billions of Chained 2017 Dollars", notes=notes) | {"popularity": 39}
    years = range(2000, 2000 + count)
    stand_in.seriess["GNPCA"] = [
        series | {"realtime_start": f"{year}-01-01", "realtime_end": f"{year}-12-31"} for year in years
    ]
    table = client.get("/series/GNPCA.tex?realtime_start=2000-01-01&realtime_end=2010-01-01").getvalue()

    assert points_too_wide(table, tmp_path) == []


SOURCES = "a=category:125&b=release:53", "a=category:125&b=release:53&c=release:51&d=release:52&e=release:9&f=release:8"
LISTED = "a=series:GNPCA@2016-01-01&b=series:GNPCA", "&".join(f"{letter}=series:GDPC1" for letter in "abcdef")


@pytest.mark.parametrize("query", [*SOURCES, *LISTED, "a=list:GNPCA,GDPC1&b=list:GDPC1,UNRATE"])
def test_latex_comparison_fits_an_article_page(
    client: Client, stand_in: FakeService, tmp_path: Path, query: str
) -> None:
    """Two sources were 86 points too wide, and three 256."""
    counts = {("not seasonally adjusted", "seas"): 20_000, ("annual", "freq"): 20_000, ("united states", "geo"): 7}
    tags = [a_tag(name, group_id=group, series_count=count) for (name, group), count in counts.items()]
    for kind, number in re.findall("(category|release):([0-9]+)", query):
        stand_in.has(kind, int(number), tags[: 2 if number == "53" else 3])
        name = (
            r"""50% of "A & B_1", #2: ~ ^ \ {y} $z""" if number == "53" else "Gross Product, Macroeconomic Development"
        )
        Label.objects.create(kind=kind, number=number, name=name)
    notes = (
        'BEA Account Code: A001RX, <a href="https://x.org/">see the tables</a> or https://research.example.org/a/b/c/d'
    )
    series = a_series(units="Billions of Chained 2017 Dollars", notes=notes) | {"popularity": 39}
    stand_in.seriess |= {one: [series | {"id": one}] for one in ("GNPCA", "GDPC1", "UNRATE")}
    table = client.get(f"/compare.tex?{query}").getvalue()

    assert points_too_wide(table, tmp_path) == []
    assert (b"20,000 (100.0" in table) == ("release" in query)


def test_latex_typesets_hostile_text_without_error(tmp_path: Path) -> None:
    (tmp_path / "tags.tex").write_bytes(b"".join(stream(tag_sheet(tag_rows(HOSTILE, 188)), TEX)))
    (tmp_path / "document.tex").write_text(DOCUMENT)
    command = [program("pdflatex"), "-halt-on-error", "-interaction=nonstopmode", "document.tex"]

    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)

    assert run.returncode == 0, run.stdout[-2000:]
    assert (tmp_path / "document.pdf").stat().st_size > 10_000
