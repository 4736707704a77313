"""Measure exports: processor time of 6,000 rows, and memory of ten times as many.

python -m bench.files               the table
python -m bench.files SUFFIX ROWS   by how many megabytes this very process grew while it wrote that file
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import django
from django.apps import apps

from bench.bounds import Bound, report_bounds
from bench.report import machine, print_machine
from bench.tags import tags

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
if not apps.ready:
    django.setup()

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import file_response
from econweb.dashboard.files.sheet import Column, Row, Sheet

ROWS, ROUNDS = 6000, 7
NUMBERS = ("popularity", "series_count")
TEXTS = ("name", "group_id", "notes", "created")
COLUMNS = (*(Column(name) for name in TEXTS), *(Column(name, "number") for name in NUMBERS))
KNOWN = [tuple(tag[column.name] for column in COLUMNS) for tag in tags(1000)]  # type: ignore[literal-required]


def rows(count: int) -> Iterator[Row]:
    """Nobody holds them all at once."""
    for number in range(count):
        yield KNOWN[number % len(KNOWN)]


def sheet(of: Iterator[Row]) -> Sheet:
    facts = {"source": "http://127.0.0.1/category/125/tags/"}
    return Sheet("category-125-tags", "Tags of category 125", facts, COLUMNS, of, "tags", "tag")


def written(suffix: str, of: Iterator[Row]) -> int:
    response = file_response(sheet(of), suffix)
    size = sum(len(piece) for piece in response)
    response.close()
    return size


def milliseconds(suffix: str) -> float:
    found = list(rows(ROWS))
    spent = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        written(suffix, iter(found))
        spent.append(time.process_time() - begun)
    return 1000 * min(spent)


def resident(name: str) -> float:
    """Return the memory of this process in megabytes: `VmRSS` now, or `VmHWM`, the most since it began."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(f"{name}:"))


def growth(suffix: str, count: int) -> float:
    """Measure in a process that has written a file before, so that imports do not count."""
    written(suffix, rows(10))
    before = resident("VmRSS")
    written(suffix, rows(count))
    return max(0.0, resident("VmHWM") - before)


def growth_of_another_process(suffix: str, count: int) -> float:
    command = [sys.executable, "-m", "bench.files", suffix, str(count)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def main() -> None:
    if len(sys.argv) > 1:
        print(f"{growth(sys.argv[1], int(sys.argv[2])):.1f}")
        return
    before, times, grown = machine(), {}, {}
    print_machine(before)
    print("| file | CPU ms | bytes | MB | MB at ten times the rows |\n|---|---:|---:|---:|---:|")
    for suffix in MEDIA_TYPES:
        few, grown[suffix] = (growth_of_another_process(suffix, count) for count in (ROWS, 10 * ROWS))
        size, times[suffix] = written(suffix, rows(ROWS)), milliseconds(suffix)
        print(f"| {suffix} | {times[suffix]:.0f} | {size:,} | {few:.1f} | {grown[suffix]:.1f} |")
    print()
    bounds = [
        Bound("6,000 rows as CSV, processor time", times["csv"], 40, "ms"),
        Bound("6,000 rows as Excel, processor time", times["xlsx"], 600, "ms"),
        Bound("60,000 rows in the format that takes most memory", max(grown.values()), 30, "MB"),
    ]
    report_bounds("files", before, bounds)


if __name__ == "__main__":
    main()
