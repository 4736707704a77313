"""The page of 50 of 1000 tags against that of other programs over the same table; `make bench-peers`."""

import gzip
import re
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import service
from bench.bounds import Bound, report_bounds
from bench.measure import Figures, Subject, compare
from bench.pages import cold, cold_filters, new
from bench.peers.environments import python_of
from bench.report import machine, report
from bench.servers import GRANIAN, SERVER_CORES, Server, econweb, serving
from bench.tags import tags
from bench.visit import first_visit

NUMBER, ROWS = 1000, 50
OURS = f"/category/{NUMBER}/tags/"
DATASETTE = ["-m", "datasette", "serve", "--port", "{port}"]


@dataclass(frozen=True)
class Peer:
    """A program to compare with: its packages, command and page; `ready` is a path that answers 200."""

    packages: tuple[str, ...]
    command: tuple[str, ...]
    path: str
    ready: str = "/"


PEERS = {
    "Datasette": Peer(
        ("datasette==0.65.5",),
        (*DATASETTE, "-i", "tags.sqlite3", "--setting", "suggest_facets", "off"),
        f"/tags/tags?_facet=group_id&_size={ROWS}&_sort_desc=series_count",
    ),
    "Django admin": Peer(
        ("django==5.2.19", "granian==2.8.7"),
        (*GRANIAN, "bench.peers.django_admin:application"),
        "/admin/admin/tag/",
        "/healthz",
    ),
    "Flask-Admin": Peer(
        ("flask-admin[sqlalchemy]==2.2.1", "sqlalchemy==2.1.9", "granian==2.8.7"),
        (*GRANIAN, "bench.peers.flask_admin:application"),
        "/admin/tag/",
        "/admin/",
    ),
    "SQLAdmin": Peer(
        ("sqladmin[full]==0.32.0", "sqlalchemy[asyncio]==2.1.9", "uvicorn[standard]==0.54.0"),
        ("-m", "uvicorn", "--port", "{port}", "--log-level", "error", "bench.peers.sqladmin:application"),
        f"/admin/tag/list?pageSize={ROWS}",
        "/admin/",
    ),
    "sqlite-web (no facets)": Peer(
        ("sqlite-web==0.8.2", "granian==2.8.7"),
        (*GRANIAN, "bench.peers.sqlite_web:application"),
        "/tags/content/",
    ),
}


@contextmanager
def started(name: str, peer: Peer, table: Path) -> Iterator[Server]:
    python = python_of(name.partition(" (")[0].replace(" ", "-").lower(), peer.packages)
    # Its folder is its own, so the table is linked into it before anything reads it.
    link = f"ln -s {table} tags.sqlite3"
    with serving([python, *peer.command], ready=peer.ready, cores=SERVER_CORES, limits=link) as server:
        yield server


def write_table(path: Path) -> None:
    with sqlite3.connect(path) as table:
        table.execute(
            "CREATE TABLE tags (name TEXT PRIMARY KEY, group_id TEXT NOT NULL, notes TEXT NOT NULL, "
            "created TEXT NOT NULL, popularity INTEGER NOT NULL, series_count INTEGER NOT NULL)"
        )
        rows = [tuple(row.values()) for row in tags(NUMBER)]
        table.executemany("INSERT INTO tags VALUES (?, ?, ?, ?, ?, ?)", rows)
        table.execute("CREATE INDEX tags_by_group ON tags (group_id)")
        table.execute("CREATE INDEX tags_by_count ON tags (series_count)")
    table.close()


def names_shown(body: str) -> int:
    """Count the tags that are texts of their own in the table with the most of them."""
    tables = re.findall(r"<table.*?</table>", body, re.DOTALL)
    texts = [{text.strip() for text in re.findall(r">([^<>]+)<", table)} for table in tables]
    return max(sum(row["name"] in found for row in tags(NUMBER)) for found in texts)


def main() -> None:
    before = machine()
    with ExitStack() as stack:
        table = Path(stack.enter_context(TemporaryDirectory())) / "tags.sqlite3"
        write_table(table)
        upstream = stack.enter_context(service.service())
        ours = stack.enter_context(econweb(upstream.settings(), cores=SERVER_CORES))
        subjects = {"econweb": Subject(ours, [OURS])}
        for name, peer in PEERS.items():
            subjects[name] = Subject(stack.enter_context(started(name, peer, table)), [peer.path])
        sizes = {name: _size(name, subject) for name, subject in subjects.items()}
        figures = compare(subjects | _unseen(ours), rounds=int(sys.argv[1]) if sys.argv[1:] else 5)
        visits = {name: first_visit(subject.server, subject.paths[0]) for name, subject in subjects.items()}
        memory = {name: round(subject.server.memory_mb()) for name, subject in subjects.items()}
    report("peers", figures, before, bytes_and_gzipped=sizes, first_visits=visits, memory_mb=memory)
    report_bounds("peers", before, bounds(figures))


def bounds(figures: Mapping[str, Figures]) -> list[Bound]:
    peer = min(figures[name].cpu_us for name in PEERS if "no facets" not in name)
    again, new_page = (figures[name].cpu_us for name in ("econweb", "econweb, another page of a view"))
    return [
        Bound("a repeated page, against the fastest other program with facets", peer / again, 20, "times faster", True),
        Bound("another page of a view, against the same program", peer / new_page, 5, "times faster", True),
    ]


def _unseen(ours: Server) -> dict[str, Subject]:
    """Return uncached views of a cached set; the peers cache nothing."""
    ours.get(f"{OURS}?limit={NUMBER}")
    return {
        "econweb, another page of a view": new(ours, cold(ROWS)),
        "econweb, the first page of a view": new(ours, cold_filters()),
    }


def _size(name: str, subject: Subject) -> tuple[int, int]:
    reply = subject.server.get(subject.paths[0])
    shown = names_shown(reply.body.decode())
    if (reply.status, shown) != (200, ROWS):
        raise SystemExit(f"{name} answers {reply.status} and shows {shown} tags, not {ROWS}.")
    return len(reply.body), len(gzip.compress(reply.body))


if __name__ == "__main__":
    main()
