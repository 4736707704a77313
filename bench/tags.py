"""The tags that every contender shows: the same each time, made from nothing but their number."""

from random import Random
from typing import TypedDict

# Each with its share of a hundred tags.
GROUPS = {"freq": 2, "gen": 40, "geo": 40, "geot": 3, "rls": 5, "seas": 1, "src": 9}
_TEXT = """
annual average balance bank bond capital city consumer county credit current debt deposit domestic durable
earnings employment energy exports federal finance goods government gross health housing imports income index
industry interest investment labor loan market metal money monthly mortgage national output payroll personal
population price production quarterly rate real region retail sales savings sector service spending state
"""
_WORDS = _TEXT.split()


class Row(TypedDict):
    """The contract's `Tag`."""

    name: str
    group_id: str
    notes: str
    created: str
    popularity: int
    series_count: int


def tags(source: int) -> list[Row]:
    """Return the tags of a source: 1000 for 21000. Names are unique; one in three has notes, as in real services."""
    random = Random(source)  # noqa: S311  the same numbers each time are what is wanted
    return [_row(position, random) for position in range(source % 10_000)]


def _row(position: int, random: Random) -> Row:
    words = random.sample(_WORDS, random.randint(1, 3))
    year, month, day = random.randint(2012, 2025), random.randint(1, 12), random.randint(1, 28)
    return {
        "name": f"{' '.join(words)} {position}",
        "group_id": random.choices([*GROUPS], [*GROUPS.values()])[0],
        "notes": f"{' '.join(random.sample(_WORDS, 8)).capitalize()}." if random.random() < 1 / 3 else "",
        "created": f"{year}-{month:02}-{day:02} 10:18:19-06",
        "popularity": random.randint(-5, 100),
        "series_count": int(random.paretovariate(0.7)),
    }
