"""Frozen copies of 6,000 tags: what it costs to freeze, open and compare one, and how much 10,000 copies store.

python -m bench.library
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bench.bounds import Bound, report_bounds
from bench.report import machine, print_machine
from bench.service import service
from bench.tags import tags

ROUNDS = 40
# Category 16000 has 6,000 tags.
LIVE = "/category/16000/tags/"
SOURCES, COPIES, TAGS = 100, 10_000, 1000


def main() -> None:
    before = machine()
    with tempfile.TemporaryDirectory(prefix="econweb-bench-") as scratch, service() as upstream:
        os.environ |= {"DATA_DIR": scratch, "SECRET_KEY": "bench" * 10, "ALLOWED_HOSTS": "localhost"}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "econweb.settings", "LOG_FORMAT": "json"}
        os.environ |= {**upstream.settings(), "ECON_MAY_STORE": "true"}
        import django  # noqa: PLC0415  only now are there settings

        django.setup()
        rows = _measure()
        stored = _fill(Path(scratch, "econweb.sqlite3"))
    print_machine(before)
    print("| processor time of a request | p50 ms | p90 ms |\n|---|---:|---:|")
    for name, times in rows.items():
        parts = statistics.quantiles(times, n=10)
        print(f"| {name} | {parts[4] * 1e3:.1f} | {parts[8] * 1e3:.1f} |")
    print()
    medians = {name: 1e3 * statistics.median(times) for name, times in rows.items()}
    report_bounds("library", before, bounds(medians, stored))


def bounds(ms: Mapping[str, float], stored: float) -> list[Bound]:
    copy = ms["a page of the copy"] / ms["a page of the live view"]
    return [
        Bound("freeze 6,000 tags, processor time", ms["freeze 6,000 tags"], 150, "ms"),
        Bound("a page of a frozen copy, against the live page", copy, 1.5, "times"),
        Bound("the difference of 6,000 frozen tags to today", ms["the difference to the live view"], 60, "ms"),
        Bound(f"{COPIES:,} copies of {SOURCES} sources with {TAGS:,} tags", stored, 60, "MB"),
    ]


def _measure() -> dict[str, list[float]]:
    from django.core.management import call_command  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from econweb.library.models import FrozenCopy  # noqa: PLC0415
    from econweb.serving.preload import preload  # noqa: PLC0415
    from econweb.startup.static_files import collectstatic_if_changed  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    collectstatic_if_changed()
    # As a worker that serves: templates are loaded, and the garbage collector passes over what is there.
    preload()
    client = Client(SERVER_NAME="localhost")
    draft = {"title": "A title", "reason": "For table 2", "audience": "everyone", "days": "0"}
    client.get(LIVE)

    paths: list[str] = []

    def freeze(_: int) -> Any:
        answer = client.post("/me/freeze/", draft, query_params={"target": LIVE})
        paths.append(answer["Location"].partition("?")[0])
        return answer

    [frozen] = _times(302, freeze)
    copy, copy_id = paths[0], paths[0].split("/")[2]
    assert FrozenCopy.objects.get(pk=copy_id).rows == 6000

    def see(path: str) -> Callable[[int], Any]:
        return lambda number: client.get(path, {"limit": 50, "offset": 50 * number})

    def differ(_: int) -> Any:
        return client.get("/compare/", {"a": f"frozen:{copy_id}", "b": "category:16000"})

    live, opened, first, difference = _times(
        200, see(LIVE), see(copy), lambda number: client.get(paths[number]), differ
    )
    return {
        "freeze 6,000 tags": frozen,
        "a page of the live view": live,
        "a page of the copy": opened,
        "the first page of the copy in a worker, which unpacks it": first,
        "the difference to the live view": difference,
    }


def _times(status: int, *asks: Callable[[int], Any]) -> list[list[float]]:
    """Ask in turns, so that a slow minute of the machine strikes all, and return the times of each."""
    times: list[list[float]] = [[] for _ in asks]
    for number in range(ROUNDS + 1):
        for ask, found in zip(asks, times, strict=True):
            begun = time.process_time()
            answer = ask(number)
            found.append(time.process_time() - begun)
            if answer.status_code != status:
                sys.exit(f"A request was answered with {answer.status_code}: {answer.text[:500]}")
    # The first one loads what all others have.
    return [found[1:] for found in times]


def _fill(file: Path) -> float:
    """Store many copies of few sources, and return how many megabytes they take with their record."""
    from django.db import connection  # noqa: PLC0415

    from econweb.accounts.people import Person, Role  # noqa: PLC0415
    from econweb.library.freezing import Content, Draft, freeze  # noqa: PLC0415
    from econweb.upstream.records import Tag  # noqa: PLC0415

    def checkpoint() -> int:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return file.stat().st_size

    before, day, now = checkpoint(), date(2026, 3, 1), datetime(2026, 3, 1, tzinfo=UTC)
    for source in range(SOURCES):
        records = [Tag(**row) for row in tags((10 + source) * 10_000 + TAGS)]
        content = Content("tags", f"/category/{source}/tags/", records, records, day, day, now)
        for number in range(COPIES // SOURCES):
            person = Person(f"person {source}", Role.READER)
            freeze(person, Draft(f"Copy {number} of category {source}", "For table 2", "everyone"), content)
    return (checkpoint() - before) / 1e6


if __name__ == "__main__":
    main()
