"""Full-text search in the database: FTS5 in SQLite, a GIN index in PostgreSQL. Only this module knows which."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import connection

from econweb.search_index.models import SeriesTitle
from econweb.search_index.titles.places import ADJUSTMENTS, FREQUENCIES, Facets, Record, facets_of
from econweb.search_index.titles.twins import twin_key
from econweb.search_index.titles.words import title_words

CACHE_KIB = 64 * 1024
# Each alternative of a group is a list of words; a result has all words of one alternative of every group.
Groups = Sequence[Sequence[Sequence[str]]]
Row = tuple[int, Record]
TITLES, FULL_TEXT = SeriesTitle._meta.db_table, "search_index_fulltext"
COLUMNS = ("place", *Record._fields, "source", "twin_key")
# Without the texts and their positions it takes a fifth of the size. The words come folded, so `ascii` splits none.
CREATE_FULL_TEXT = (
    f"CREATE VIRTUAL TABLE {FULL_TEXT} USING fts5(words, content='', detail='none', columnsize=0, tokenize='ascii')"
)
# A word of this letter, which no title has, stands for a facet.
_FACET = "\ue000"


def find_places(groups: Groups, facets: Sequence[str], limit: int) -> list[int]:
    """Return the places of the best series with these words and facets, best first."""
    terms = [_group(group) for group in groups] + [_quoted(f"{_FACET}{facet}") for facet in facets]
    if connection.vendor == "postgresql":
        match = " & ".join(terms)
        statement = f"SELECT place FROM {TITLES} WHERE words @@ %s::tsquery ORDER BY place LIMIT %s"  # noqa: S608
    else:
        match = " AND ".join(terms)
        statement = f"SELECT rowid FROM {FULL_TEXT} WHERE {FULL_TEXT} MATCH %s ORDER BY rowid LIMIT %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [match, limit])
        return [place for (place,) in cursor.fetchall()]


def facet_words(facets: Facets) -> list[str]:
    """Return a word for each facet that is given, which `find_places` takes."""
    words = [f"f{FREQUENCIES.index(facets.frequency)}"] if facets.frequency else []
    words += [f"a{ADJUSTMENTS.index(facets.seasonal_adjustment)}"] if facets.seasonal_adjustment else []
    return words + ([{"yes": "ended", "no": "current"}[facets.discontinued]] if facets.discontinued else [])


def insert_titles(rows: Iterable[Row], source: str) -> None:
    """Insert rows, or replace those of the same series."""
    columns, values = [*COLUMNS], ["%s"] * len(COLUMNS)
    if connection.vendor == "postgresql":
        columns.append("words")
        values.append("array_to_tsvector(%s)")
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns)
    statement = (
        f"INSERT INTO {TITLES} ({', '.join(columns)}) VALUES ({', '.join(values)}) "  # noqa: S608
        f"ON CONFLICT (series_id) DO UPDATE SET {changes}"
    )
    stored = [
        (place, *record, source, twin_key(record), list_terms(place, record.title))[: len(columns)]
        for place, record in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, stored)


def empty_full_text() -> None:
    """Remove all words: a virtual table is faster to make than to empty."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {FULL_TEXT}")
            cursor.execute(CREATE_FULL_TEXT)


def add_words(titles: Iterable[tuple[int, str]]) -> None:
    """Index titles that are stored; PostgreSQL has their words in the same row."""
    _write(f"INSERT INTO {FULL_TEXT} (rowid, words) VALUES (%s, %s)", titles)  # noqa: S608


def remove_words(titles: Iterable[tuple[int, str]]) -> None:
    """Take titles out; an index without texts needs the words that it held."""
    _write(f"INSERT INTO {FULL_TEXT} ({FULL_TEXT}, rowid, words) VALUES ('delete', %s, %s)", titles)  # noqa: S608


def _write(statement: str, titles: Iterable[tuple[int, str]]) -> None:
    if connection.vendor == "sqlite":
        rows = [(place, " ".join(list_terms(place, title))) for place, title in titles]
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def list_terms(place: int, title: str) -> list[str]:
    """Return what is indexed of a title: its words, and those that stand for its facets."""
    return sorted([*title_words(title), *(f"{_FACET}{facet}" for facet in facet_words(facets_of(place)))])


@contextmanager
def large_cache() -> Iterator[None]:
    """Let SQLite hold more pages while it builds: with the usual half MiB it writes each of them many times."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        usual = cursor.execute("PRAGMA cache_size").fetchone()[0]
        cursor.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size = {usual}")


def _group(alternatives: Sequence[Sequence[str]]) -> str:
    both, either = (" & ", " | ") if connection.vendor == "postgresql" else (" AND ", " OR ")
    return f"({either.join('(' + both.join(map(_quoted, words)) + ')' for words in alternatives)})"


def _quoted(word: str) -> str:
    """Quote a folded word, which has letters and digits only: nothing in it is syntax."""
    return f"'{word}'" if connection.vendor == "postgresql" else f'"{word}"'
