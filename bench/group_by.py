"""Measure an answer of the embedded service by counting links in three databases.

Each has the links of a made-up catalogue with indexes on both ids; the best of five runs by the clock, warm.
"""

import csv
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from bench.drills.postgresql import postgresql
from bench.peers.environments import python_of

TABLES = {
    "series_releases": ("series_id", "release_id"),
    "series_tags": ("series_id", "tag_name"),
    "tags": ("name", "group_id", "notes", "created", "popularity"),
}
INDEXES = (
    "CREATE INDEX series_of ON series_releases (release_id, series_id)",
    "CREATE INDEX tags_of ON series_tags (series_id, tag_name)",
)
QUESTION = """
SELECT name, group_id, notes, created, popularity, count(*) AS series_count
FROM series_releases JOIN series_tags USING (series_id) JOIN tags ON tags.name = tag_name
WHERE release_id = '1' GROUP BY name, group_id, notes, created, popularity
ORDER BY series_count DESC, name LIMIT 1000
"""
DUCKDB = """
import sys, time, duckdb
folder, question = sys.argv[1:]
links = duckdb.connect()
links.execute("SET enable_progress_bar = false")
for name in ("series_releases", "series_tags", "tags"):
    links.execute(f"CREATE TABLE {name} AS SELECT * FROM read_csv('{folder}/{name}.csv', all_varchar=true)")
def once():
    begun = time.perf_counter()
    assert len(links.execute(question).fetchall()) == 1000
    return time.perf_counter() - begun
print(min(once() for _ in range(5)) * 1000)
"""


def counted_each_time(folder: Path) -> dict[str, str]:
    with TemporaryDirectory(prefix="econweb-bench-") as scratch:
        return {
            f"group_by_in_{name}": f"{measured(folder, Path(scratch)):,.0f} ms"
            for name, measured in (
                ("SQLite", in_sqlite),
                ("PostgreSQL", in_postgresql),
                ("DuckDB", in_duckdb),
            )
        }


def in_sqlite(folder: Path, scratch: Path) -> float:
    with closing(sqlite3.connect(scratch / "links.sqlite3")) as links:
        links.execute("PRAGMA mmap_size=4000000000")
        for name, columns in TABLES.items():
            links.execute(_table(name, columns))
            placeholders = ", ".join("?" * len(columns))
            links.executemany(f"INSERT INTO {name} VALUES ({placeholders})", rows(folder, name))  # noqa: S608
        for statement in (*INDEXES, "CREATE INDEX tag_named ON tags (name)", "ANALYZE"):
            links.execute(statement)
        return best(lambda: links.execute(QUESTION).fetchall())


def in_postgresql(folder: Path, _scratch: Path) -> float:
    with postgresql() as cluster, psycopg.connect(cluster.url, autocommit=True) as links:
        for name, columns in TABLES.items():
            links.execute(_table(name, columns))
            copying = links.cursor().copy(f"COPY {name} FROM STDIN (FORMAT csv, HEADER)")
            with (folder / f"{name}.csv").open("rb") as file, copying as copy:
                shutil.copyfileobj(file, copy)
        for statement in (*INDEXES, "CREATE INDEX tag_named ON tags (name)", "VACUUM ANALYZE"):
            links.execute(statement)
        return best(lambda: links.execute(QUESTION).fetchall())


def in_duckdb(folder: Path, _scratch: Path) -> float:
    python = python_of("duckdb", ("duckdb==1.5.6",))
    command = [python, "-c", DUCKDB, str(folder), QUESTION]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def best(ask: Callable[[], Sequence[object]]) -> float:
    def once() -> float:
        begun = time.perf_counter()
        if len(ask()) != 1000:
            raise SystemExit("The catalogue is too small for this question: 1000 tags are wanted.")
        return time.perf_counter() - begun

    return min(once() for _ in range(5)) * 1000


def _table(name: str, columns: Sequence[str]) -> str:
    return f"CREATE TABLE {name} ({', '.join(f'{column} TEXT' for column in columns)})"


def rows(folder: Path, name: str) -> Iterator[list[str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        next(reader)
        yield from reader
