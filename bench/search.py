"""The index of titles at full scale: what it costs to build, to suggest from, and to search.

    python -m bench.search [--series 82500]

Titles have ten of 30,000 words, of which few are in most titles, as in a real catalogue.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from itertools import accumulate, islice
from pathlib import Path
from random import Random

from bench.bounds import Bound, report_bounds
from bench.report import machine, print_machine

ASKED = 300
# Series that are stored together.
BATCH = 5000
# Letters of the words; each word has two to four syllables.
SYLLABLES = tuple(f"{one}{other}" for one in "bcdfgklmnprst" for other in "aeiou")
FREQUENCIES = ("Annual", "Quarterly", "Monthly", "Weekly, Ending Friday", "Daily")
ADJUSTMENTS = ("Seasonally Adjusted", "Not Seasonally Adjusted", "Seasonally Adjusted Annual Rate")
WANTED = {"a suggestion": 30, "a search": 15, "a misspelt search": 15}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the search of series.")
    parser.add_argument("--series", type=int, default=825_000)
    count = parser.parse_args().series
    before = machine()
    with tempfile.TemporaryDirectory(prefix="econweb-bench-") as scratch:
        os.environ |= {"DATA_DIR": scratch, "SECRET_KEY": "bench" * 10, "ALLOWED_HOSTS": "testserver"}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "econweb.settings", "LOG_FORMAT": "json"}
        import django  # noqa: PLC0415  only now are there settings

        django.setup()
        chance = Random(1)  # noqa: S311  nothing here is a secret
        built = _build(count, chance, Path(scratch, "econweb.sqlite3"))
        rows = _measure(chance)
    print_machine(before)
    print(f"{count:,} titles: {built}\n")
    print("| processor time | p50 ms | p99 ms |\n|---|---:|---:|")
    bounds = []
    for name, times in rows.items():
        parts = statistics.quantiles(times, n=100)
        print(f"| {name} | {parts[49] * 1e3:.1f} | {parts[98] * 1e3:.1f} |")
        bounds.append(Bound(f"{name} among {count:,} titles, 99th percentile", parts[98] * 1e3, WANTED[name], "ms"))
    print()
    report_bounds("search", before, bounds)


def _build(count: int, chance: Random, file: Path) -> str:
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from econweb.catalogue.models import Edition  # noqa: PLC0415
    from econweb.startup.series_titles import update_indexes  # noqa: PLC0415
    from econweb.startup.static_files import collectstatic_if_changed  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    collectstatic_if_changed()
    _store_series(count, chance)
    Edition.objects.create(identity="bench", digest="bench", loaded=datetime.now(UTC))
    size = _size(file)
    begun, used = time.perf_counter(), time.process_time()
    update_indexes()
    seconds, processor = time.perf_counter() - begun, time.process_time() - used
    connection.close()
    return f"{seconds:.1f} s, {processor:.1f} s of processor time, {(_size(file) - size) / 1e6:.0f} MB"


def _size(file: Path) -> int:
    """Return the size of the database with nothing left in its log."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


def _store_series(count: int, chance: Random) -> None:
    from econweb.catalogue.models import SeriesVersion  # noqa: PLC0415

    start, end, first, last = map(date.fromisoformat, ("2020-01-01", "9999-12-31", "1990-01-01", "2024-12-01"))
    same = {
        "realtime_start": start,
        "realtime_end": end,
        "observation_start": first,
        "observation_end": last,
        "units": "Thousands of Persons",
        "last_updated": "2024-12-01 08:00:00-06",
    }
    titles = enumerate(_titles(count, chance))
    while some := list(islice(titles, BATCH)):
        SeriesVersion.objects.bulk_create(
            SeriesVersion(
                series_id=f"S{number:07}",
                title=title,
                frequency=chance.choice(FREQUENCIES),
                seasonal_adjustment=chance.choice(ADJUSTMENTS),
                popularity=min(100, int(chance.paretovariate(1))),
                **same,
            )
            for number, title in some
        )


def _titles(count: int, chance: Random) -> Iterator[str]:
    words = _words(chance)
    sums = list(accumulate(1 / (rank + 2) ** 0.9 for rank in range(len(words))))
    for _ in range(count):
        yield " ".join(chance.choices(words, cum_weights=sums, k=6 + chance.randrange(9))).capitalize()


def _words(chance: Random) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < 30_000:
        found["".join(chance.choices(SYLLABLES, k=2 + chance.randrange(3)))] = None
    return list(found)


def _measure(chance: Random) -> dict[str, list[float]]:
    from django.test import Client  # noqa: PLC0415

    from econweb.search_index.models import SeriesTitle  # noqa: PLC0415
    from econweb.serving.preload import preload  # noqa: PLC0415

    # As a worker that serves: templates are loaded, and the garbage collector passes over what is there.
    preload()
    places = SeriesTitle.objects.values_list("place", flat=True)
    last = places.order_by("-place").first() or 0
    drawn = [SeriesTitle.objects.filter(place__gte=chance.randrange(last)).first() for _ in range(ASKED)]
    found = [one.title.split() for one in drawn if one]
    client = Client()

    def ask(path: str, change: Callable[[list[str]], str]) -> list[float]:
        return [_timed(client, path, change(words)) for words in found]

    def typed(words: list[str]) -> str:
        text = " ".join(chance.sample(words, 1 + chance.randrange(3)))
        return text[: max(1, chance.randrange(len(text)) + 1)]

    return {
        "a suggestion": ask("/suggest", typed),
        "a search": ask("/search/", lambda words: " ".join(chance.sample(words, 1 + chance.randrange(3)))),
        "a misspelt search": ask("/search/", lambda words: _misspelt(max(words, key=len), chance)),
    }


def _misspelt(word: str, chance: Random) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _timed(client: object, path: str, text: str) -> float:
    begun = time.process_time()
    answer = client.get(path, {"q": text})  # type: ignore[attr-defined]
    used = time.process_time() - begun
    if answer.status_code != 200:
        sys.exit(f"{path}?q={text} answered {answer.status_code}.")
    return used


if __name__ == "__main__":
    main()
