"""The index of tags at full scale: how long the reader takes, and what its pages cost."""

import json
import re
import time
from pathlib import Path
from urllib.parse import quote

from bench.measure import Subject
from bench.servers import Server

PAGES = 600
REPEATED = {
    "the tags of a category": "/category/1/tags/",
    "similar ones": "/category/2/similar/",
    "a page of a search": "/search/?q=output",
    "all tags": "/browse/tags/",
    "the overview": "/browse/overview/",
    "releases": "/browse/releases/",
}
MAX_SECONDS = 300
WHOLE = re.compile(r"Of ([\d,]+) known categories and releases \1 were read")


def wait_for_index(server: Server, database: Path) -> dict[str, str]:
    """Return the seconds from the start until all is read, and until the similarities are computed."""
    begun, used, size = time.monotonic(), server.cpu_seconds(), _size(database)
    _wait(server, "/about/", WHOLE)
    read, used_by_reader = time.monotonic() - begun, server.cpu_seconds() - used
    grown = (_size(database) - size) / 1e6
    _wait(server, "/category/1/similar/", re.compile("nearest"))
    computed, used_by_both = time.monotonic() - begun, server.cpu_seconds() - used
    read_tags = [row["tag_count"] for row in json.loads(server.get("/browse/overview.json").body)["owners"]]
    return {
        "in_the_index": f"{len(read_tags):,} categories and releases with {sum(read_tags) / 1e6:.1f} million tags",
        "tags_of_all_categories_and_releases_read": f"{read:.1f} s after the start (wanted 15), "
        f"{used_by_reader:.1f} s of processor time, {grown:.0f} MB",
        "similarities_computed": f"{computed:.1f} s after the start, "
        f"{used_by_both - used_by_reader:.1f} s of processor time",
    }


def index_pages(server: Server) -> dict[str, Subject]:
    """Return pages that nobody has opened before, each requested once, and repeated ones beside a list of tags."""
    names = [tag["name"] for tag in json.loads(server.get("/browse/tags.json").body)["tags"]]
    tags = [f"/tag/{quote(name)}/" for name in names[:: max(1, len(names) // PAGES)]]
    similar = [f"/category/{number}/similar/" for number in range(1, min(PAGES, len(names)) + 1)]
    return {
        "the page of a tag, never opened before": Subject(server, tags, once=True),
        "a page of similar ones, never opened before": Subject(server, similar, once=True),
        **{f"{name}, repeated": Subject(server, [path]) for name, path in (REPEATED | {"a tag": tags[0]}).items()},
    }


def _wait(server: Server, path: str, wanted: re.Pattern[str]) -> None:
    end = time.monotonic() + MAX_SECONDS
    while not wanted.search(server.get(path).body.decode()):
        if time.monotonic() > end:
            raise SystemExit(f"{path} is not ready after {MAX_SECONDS} s.")
        time.sleep(0.2)


def _size(database: Path) -> int:
    """Return the size of the database with its log."""
    return sum(
        path.stat().st_size for path in database.parent.glob(f"{database.name}*") if path.suffix != ".sqlite3-shm"
    )
