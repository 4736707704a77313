"""The titles of series in the index, and the words that they have.

Every write is one transaction, so a kill leaves the old index or the new one, whole.
"""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from econweb.search_index.models import ImportedTitle, IndexState, SeriesTitle, Word
from econweb.search_index.titles import full_text
from econweb.search_index.titles.full_text import TITLES, Row
from econweb.search_index.titles.places import MAX_SERIAL, Record, place_of
from econweb.search_index.titles.words import title_words

CATALOGUE, FETCHED, IMPORTED = "catalogue", "fetched", "imported"
BATCH = 1000
# A service may send any text.
MAX_TITLE = 1000
# Letters of an id, and the series that the beginning of one finds, in the order of ids.
MAX_ID, MAX_IDS = 25, 100
Item = TypeVar("Item")
WORDS = Word._meta.db_table


def read_records(places: Sequence[int]) -> dict[int, Record]:
    """Return the records at these places, in their order; the ORM takes twice as long."""
    if not places:
        return {}
    placeholders = ", ".join(["%s"] * len(places))
    names = ", ".join(["place", *Record._fields])
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {names} FROM {TITLES} WHERE place IN ({placeholders})", list(places))  # noqa: S608
        found = {place: Record(*values) for place, *values in cursor.fetchall()}
    return {place: found[place] for place in places if place in found}


def find_by_ids(series_ids: Collection[str]) -> dict[str, Record]:
    """Return those series that are in the index."""
    found = SeriesTitle.objects.filter(series_id__in=series_ids).values_list(*Record._fields)
    return {row[0]: Record(*row) for row in found}


def known_words(words: Iterable[str]) -> list[str]:
    """Return those that some title has, the most used first."""
    if not (wanted := [*set(words)]):
        return []
    placeholders = ", ".join(["%s"] * len(wanted))
    statement = f"SELECT word FROM {WORDS} WHERE word IN ({placeholders}) AND uses > 0 ORDER BY uses DESC, word"  # noqa: S608
    with connection.cursor() as cursor:
        # The ORM takes five times as long for a thousand words. Here and below it would be a tenth of a search.
        cursor.execute(statement, wanted)
        return [word for (word,) in cursor.fetchall()]


def words_beginning_with(prefix: str, limit: int) -> list[str]:
    """Return words with this prefix, the most used first."""
    statement = f"SELECT word FROM {WORDS} WHERE word >= %s AND word < %s AND uses > 0 ORDER BY uses DESC LIMIT %s"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [prefix, f"{prefix}\U0010ffff", limit])
        return [word for (word,) in cursor.fetchall()]


def places_by_id(beginning: str) -> dict[str, int]:
    """Return the first series whose ids begin with this text, each with its place."""
    # No id has small letters: in every collation they come after all others.
    statement = (
        f"SELECT series_id, place FROM {TITLES} WHERE series_id >= %s AND series_id < %s "  # noqa: S608
        "AND substr(series_id, 1, %s) = %s ORDER BY series_id LIMIT %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [beginning, beginning + "z" * MAX_ID, len(beginning), beginning, MAX_IDS])
        return dict(cursor.fetchall())


def places_of(series_ids: Collection[str]) -> list[int]:
    """Return the places of those series that are in the index."""
    if not series_ids:
        return []
    found = SeriesTitle.objects.filter(series_id__in=series_ids)
    return list(found.values_list("place", flat=True))


def revision() -> int:
    """Return what changes whenever the index does."""
    return IndexState.objects.values_list("revision", flat=True).first() or 0


def replace_catalogue(records: Iterable[Record], identity: str) -> None:
    """Replace the titles of the catalogue by these, and build a new index beside the old one.

    It replaces records of the same series from other sources. Imported ones come back with a catalogue that lacks them.
    Records that come best first are stored fastest.
    """
    with full_text.large_cache(), transaction.atomic():
        state = lock_state()
        SeriesTitle.objects.filter(source=CATALOGUE).delete()
        for batch in _batches(records):
            full_text.insert_titles(_rows(state, batch), CATALOGUE)
        _restore_imported(state)
        rebuild()
        state.catalogue = identity
        _save(state)


def add(records: Iterable[Record], source: str) -> int:
    """Add or replace series, and return how many are new or changed; an import replaces nothing the service said."""
    added = 0
    for batch in _batches(records):
        with transaction.atomic():
            state = lock_state()
            newest = {record.series_id: _cut(record) for record in batch}
            if source == IMPORTED:
                _keep_imported(newest.values())
            held = SeriesTitle.objects.in_bulk(list(newest), field_name="series_id")
            for series_id, one in held.items():
                is_foreign = source == IMPORTED and one.source != IMPORTED
                if is_foreign or _is_same(one, newest[series_id], source):
                    del newest[series_id]
            if newest:
                _remove([one for one in held.values() if one.series_id in newest])
                rows = _rows(state, newest.values())
                full_text.insert_titles(rows, source)
                _count_words(_index((place, record.title) for place, record in rows))
                _save(state)
        added += len(newest)
    return added


def _keep_imported(records: Iterable[Record]) -> None:
    rows = [ImportedTitle(series_id=record.series_id, title=record.title) for record in records]
    ImportedTitle.objects.bulk_create(rows, update_conflicts=True, unique_fields=["series_id"], update_fields=["title"])


def _restore_imported(state: IndexState) -> None:
    """Add the imported titles of series that nothing else in the index describes."""
    held = SeriesTitle.objects.filter(series_id=OuterRef("series_id"))
    missing = ImportedTitle.objects.exclude(Exists(held)).order_by("series_id").values_list("series_id", "title")
    last = ""
    # A page at a time: 825,000 titles are not held in memory, and no query is open while rows are written.
    while page := list(missing.filter(series_id__gt=last)[:BATCH]):
        full_text.insert_titles(_rows(state, (Record(*row) for row in page)), IMPORTED)
        last, _ = page[-1]


def _is_same(held: SeriesTitle, record: Record, source: str) -> bool:
    return held.source == source and all(getattr(held, name) == value for name, value in record._asdict().items())


def remove_foreign(service: str, sources: Sequence[str]) -> None:
    """Remove what is not of these sources, and what another service sent; no service means that none may be stored."""
    state = IndexState.objects.first()
    foreign = SeriesTitle.objects.exclude(source__in=sources)
    if (not service and state is None) or (state and state.service == service and not foreign.exists()):
        return
    with transaction.atomic():
        state = lock_state()
        foreign.delete()
        if state.service != service:
            SeriesTitle.objects.filter(source=FETCHED).delete()
            state.service = service
        if CATALOGUE not in sources:
            state.catalogue = ""
        _restore_imported(state)
        rebuild()
        _save(state)


def catalogue_identity() -> str:
    """Return the identity of the catalogue whose titles are in the index."""
    return IndexState.objects.values_list("catalogue", flat=True).first() or ""


def lock_state() -> IndexState:
    """Return the row of the state, which the transaction holds from here on."""
    _, is_new = IndexState.objects.get_or_create(pk=1)
    if is_new:
        # The full text may hold words of tables that were emptied.
        rebuild()
    return IndexState.objects.select_for_update().get(pk=1)


def _save(state: IndexState) -> None:
    state.revision = secrets.randbits(60)
    state.save()


def _rows(state: IndexState, records: Iterable[Record]) -> list[Row]:
    rows = []
    for record in records:
        state.serial = state.serial % MAX_SERIAL + 1
        cut = _cut(record)
        rows.append((place_of(cut, state.serial), cut))
    # The index takes rising numbers faster.
    return sorted(rows)


def _cut(record: Record) -> Record:
    return record._replace(title=record.title[:MAX_TITLE])


def rebuild() -> None:
    """Index every title again."""
    full_text.empty_full_text()
    Word.objects.all().delete()
    uses: Counter[str] = Counter()
    titles = SeriesTitle.objects.order_by("place").values_list("place", "title")
    for batch in _batches(titles.iterator(chunk_size=BATCH)):
        uses.update(_index(batch))
    _count_words(uses)


def _index(titles: Iterable[tuple[int, str]]) -> Counter[str]:
    """Index titles, and return how many have each word."""
    stored = list(titles)
    full_text.add_words(stored)
    return Counter(word for _, title in stored for word in title_words(title))


def _remove(held: Sequence[SeriesTitle]) -> None:
    full_text.remove_words((one.place, one.title) for one in held)
    SeriesTitle.objects.filter(place__in=[one.place for one in held]).delete()
    uses = Counter(word for one in held for word in title_words(one.title))
    _count_words(Counter({word: -number for word, number in uses.items()}))


def _count_words(uses: Counter[str]) -> None:
    statement = (
        f"INSERT INTO {WORDS} (word, uses) VALUES (%s, %s) "  # noqa: S608
        f"ON CONFLICT (word) DO UPDATE SET uses = {WORDS}.uses + excluded.uses"
    )
    with connection.cursor() as cursor:
        for batch in _batches((word, number) for word, number in uses.items() if number):
            cursor.executemany(statement, batch)


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch
