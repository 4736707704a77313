"""What the files of a view cost: processor time of 6,000 rows, and memory when there are ten times as many.

python -m bench.files
"""

import time
import tracemalloc
from collections.abc import Iterator

from django.conf import settings

from bench.tags import tags
from econweb.dashboard.files.formats import MEDIA_TYPES, answer
from econweb.dashboard.files.sheets import Column, Row, Sheet

ROWS, ROUNDS = 6000, 7
NUMBERS = ("popularity", "series_count")
TEXTS = ("name", "group_id", "notes", "created")
COLUMNS = (*(Column(name) for name in TEXTS), *(Column(name, "number") for name in NUMBERS))


def rows(count: int) -> Iterator[Row]:
    """Nobody holds them all at once."""
    known = [tuple(tag[column.name] for column in COLUMNS) for tag in tags(1000)]  # type: ignore[literal-required]
    for number in range(count):
        yield known[number % len(known)]


def sheet(of: Iterator[Row]) -> Sheet:
    facts = {"source": "http://127.0.0.1/category/125/tags/"}
    return Sheet("category-125-tags", "Tags of category 125", facts, COLUMNS, of, "tags", "tag")


def written(suffix: str, of: Iterator[Row]) -> int:
    response = answer(sheet(of), suffix)
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


def megabytes(suffix: str, count: int) -> float:
    tracemalloc.start()
    written(suffix, rows(count))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    settings.configure()
    print(f"{'file':6}{'CPU ms':>8}{'bytes':>10}{'MB':>6}{'MB of ten times the rows':>26}")
    for suffix in MEDIA_TYPES:
        size, few, many = written(suffix, rows(ROWS)), megabytes(suffix, ROWS), megabytes(suffix, 10 * ROWS)
        print(f"{suffix:6}{milliseconds(suffix):8.0f}{size:10}{few:6.1f}{many:26.1f}")


if __name__ == "__main__":
    main()
