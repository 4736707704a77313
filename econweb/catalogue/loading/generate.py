"""Generate a catalogue of any size, shaped like a real one; the same arguments give the same bytes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate, islice, pairwise
from pathlib import Path
from random import Random
from typing import TypeVar

from econweb.catalogue.loading.file_format import write_file

FREQUENCIES = {"A": "Annual", "Q": "Quarterly", "M": "Monthly", "W": "Weekly, Ending Friday", "D": "Daily"}
ADJUSTMENTS = {"NSA": "Not Seasonally Adjusted", "SA": "Seasonally Adjusted", "SAAR": "Seasonally Adjusted Annual Rate"}
UNITS = {"%": "Percent", "Thous. of Persons": "Thousands of Persons", "Mil. of $": "Millions of Dollars"}
GEOGRAPHIES = ["nation", "state", "county", "msa", "census region", "country"]
SUBJECTS = ["output", "prices", "wages", "trade", "credit", "housing", "employment", "population", "energy"]
QUALITIES = ["real", "nominal", "average", "total", "net", "gross", "median", "relative", "seasonal", "final"]
REGIONS = ["north", "south", "east", "west", "lake", "river", "hill", "coast", "valley", "island"]
FIRST_DAY, DAYS = date(1990, 1, 1), 12_600
BRANCHES = 8
# Its share of all series.
LARGEST_RELEASE = 0.12

Row = Iterable[object]
Thing = TypeVar("Thing", str, int)


class CatalogueGenerator:
    """Draws everything from one seeded generator, in a fixed order."""

    def __init__(self, series: int, seed: int) -> None:
        self._chance = Random(seed)  # noqa: S311  nothing here is a secret
        self.count = series
        self.categories = min(5200, 10 + series // 15)
        self.releases = min(314, 4 + series // 250)
        self.tags = _tag_names(min(6000, 300 + series // 12), self.releases)
        others = _falling_weights(self.releases - 1, 0.8)
        rest = (1 - LARGEST_RELEASE) / sum(others)
        self.release = self._drawer(range(1, self.releases + 1), [LARGEST_RELEASE, *(rest * part for part in others)])
        # The last category stays without series.
        self.category = self._drawer(range(1, self.categories), _falling_weights(self.categories - 1, 0.7))
        self._general = self._drawer(self.tags["gen"], _falling_weights(len(self.tags["gen"]), 0.75))
        self._region = self._drawer(self.tags["geo"], _falling_weights(len(self.tags["geo"]), 0.6))
        self._notes = [self._sentence() for _ in range(2000)]

    def tag_rows(self) -> Iterator[Row]:
        for group, names in self.tags.items():
            for name in names:
                yield (name, group, self._sentence() if self._happens(0.4) else "", self._stamp(), self._below(100))

    def owner_rows(self, count: int) -> Iterator[tuple[int, str]]:
        for number in range(1, count + 1):
            yield number, f"{self._one(QUALITIES)} {self._one(SUBJECTS)} {number}".capitalize()

    def category_rows(self) -> Iterator[Row]:
        """Yield a tree in which each category has up to BRANCHES others."""
        for number, name in self.owner_rows(self.categories):
            yield number, name, number // BRANCHES or ""

    def versions(self, series_id: str) -> Iterator[Row]:
        """Yield the versions of a series: mostly one, without an end."""
        frequency, unit, adjustment = (self._one([*FREQUENCIES]), self._one([*UNITS]), self._one([*ADJUSTMENTS]))
        title = f"{self._one(QUALITIES)} {self._one(SUBJECTS)} of {self._one(self.tags['geo'])}".capitalize()
        described = [FREQUENCIES[frequency], frequency, UNITS[unit], unit, ADJUSTMENTS[adjustment], adjustment]
        notes = self._one(self._notes) if self._happens(0.6) else ""
        last = [self._stamp(), self._below(100), notes]
        for number, (start, end) in enumerate(self._periods(), start=1):
            yield [series_id, start, end, f"{title} ({number})", "1990-01-01", "2024-12-01", *described, *last]

    def tag_names(self, release: int) -> Iterator[str]:
        """Yield at least twelve tag names."""
        yield from (self._one(self.tags[group]) for group in ("freq", "seas", "geot"))
        yield self.tags["rls"][release - 1]
        yield self.tags["src"][release % len(self.tags["src"])]
        yield from dict.fromkeys(self._region(1 + self._happens(0.34)))
        wanted = 6 + self._below(3)
        general: dict[str, None] = {}
        while len(general) < wanted:
            general.update(dict.fromkeys(self._general(wanted)))
        yield from islice(general, wanted)

    def some_categories(self) -> Iterable[int]:
        return dict.fromkeys(self.category(1 + self._happens(0.2)))

    def _periods(self) -> list[tuple[str, str]]:
        starts = sorted({self._below(DAYS) for _ in range(1 + self._happens(0.04) + self._happens(0.01))})
        # An end is the day before the next version; a few leave a gap, and a few series have ended.
        gap = 40 if self._happens(0.01) else 1
        ends = [max(start, following - gap) for start, following in pairwise(starts)]
        last = _day(starts[-1] + 400) if self._happens(0.015) else "9999-12-31"
        return list(zip(map(_day, starts), [*map(_day, ends), last], strict=True))

    def _sentence(self) -> str:
        count = 6 + self._below(40)
        return " ".join(self._one(SUBJECTS if self._happens(0.5) else QUALITIES) for _ in range(count)) + "."

    def _stamp(self) -> str:
        hour, minute = self._below(24), self._below(60)
        return f"{_day(8000 + self._below(4600))} {hour:02}:{minute:02}:07-0{5 + self._happens(0.5)}"

    def _drawer(self, things: Sequence[Thing], weights: Sequence[float]) -> Callable[[int], list[Thing]]:
        sums = list(accumulate(weights))
        return lambda count: self._chance.choices(things, cum_weights=sums, k=count)

    def _below(self, limit: int) -> int:
        return int(self._chance.random() * limit)

    def _happens(self, share: float) -> bool:
        return self._chance.random() < share

    def _one(self, things: Sequence[str]) -> str:
        return things[self._below(len(things))]


def generate(series: int, seed: int, folder: Path) -> None:
    """Write the files that `load_catalogue` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = CatalogueGenerator(series, seed)
    write_file(folder, "tags", generator.tag_rows())
    write_file(folder, "categories", generator.category_rows())
    write_file(folder, "releases", generator.owner_rows(generator.releases))
    ids = [f"S{number:07}" for number in range(1, series + 1)]
    releases = generator.release(series)
    write_file(folder, "series", (row for series_id in ids for row in generator.versions(series_id)))
    write_file(folder, "series_releases", zip(ids, releases, strict=True))
    pairs = zip(ids, releases, strict=True)
    write_file(folder, "series_tags", ((one, name) for one, release in pairs for name in generator.tag_names(release)))
    write_file(folder, "series_categories", ((one, number) for one in ids for number in generator.some_categories()))


def _tag_names(count: int, releases: int) -> dict[str, list[str]]:
    """Return the tag names of each group; half of them are regions."""
    names = {
        "freq": [name.lower() for name in FREQUENCIES.values()],
        "seas": [name.lower() for name in ADJUSTMENTS],
        "geot": GEOGRAPHIES,
        "rls": [f"release {number}" for number in range(1, releases + 1)],
        "src": [f"source {number}" for number in range(1, 81)],
    }
    left = count - sum(map(len, names.values()))
    names["geo"] = _combine(REGIONS, left // 2)
    names["gen"] = _combine(SUBJECTS, left - left // 2)
    return names


def _combine(words: Sequence[str], count: int) -> list[str]:
    return [f"{words[number % len(words)]} {number // len(words) + 1}" for number in range(count)]


def _falling_weights(count: int, steepness: float) -> list[float]:
    return [1 / (rank + 2) ** steepness for rank in range(count)]


def _day(number: int) -> str:
    return (FIRST_DAY + timedelta(days=number)).isoformat()
