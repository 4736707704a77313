"""Other series that the page of a series and a list name: from the notes, and those with another adjustment."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.conf import settings

from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.relations.in_notes import REPLACED_BY, REPLACES, SEE_ALSO, SOURCE_CODE, Relation, find_relations
from econweb.label_book import lookup as labels
from econweb.label_book.models import Label
from econweb.search_index.titles.cached import MAX_RECORDS
from econweb.search_index.titles.places import Record, record_of
from econweb.search_index.titles.twins import find_twins, find_twins_in
from econweb.search_index.titles.words import drop_optional_words, fold_words
from econweb.upstream import service
from econweb.upstream.records import Series

LABELS = {
    REPLACED_BY: "Replaced by",
    REPLACES: "Replaces",
    SEE_ALSO: "See also",
    SOURCE_CODE: "Code at the source",
}
# Letters of notes that are read for a list, which may have 200 series.
MAX_READ_IN_LIST = 2_000
# One word, such as “index”, is in too many names.
MIN_SHARED_WORDS, MAX_ALIKE_NAMES = 2, 3


class NamedSeries(NamedTuple):
    """A series, or a code of the source, that notes name. Only a series that may exist has a link."""

    label: str
    target: str
    quote: str
    has_link: bool

    @property
    def is_code(self) -> bool:
        return self.label == LABELS[SOURCE_CODE]


def get_twins(series: Series) -> list[Record]:
    """Return the same series with another adjustment: from the index, or the cache where nothing may be stored."""
    record = record_of(series)
    if settings.ECON_MAY_STORE:
        return find_twins(record)
    decoded = service.decoded_series().values()
    return find_twins_in([record_of(one) for one in decoded][-MAX_RECORDS:], record)


def find_alike_names(series: Series) -> list[Label]:
    """Return categories and releases with words of the title in their names, which does not say that they have it."""
    return labels.share_words(drop_optional_words(fold_words(series.title)), MIN_SHARED_WORDS)[:MAX_ALIKE_NAMES]


def name_series_in_notes(series: Series) -> list[NamedSeries]:
    return [_name(relation) for relation in find_relations(series.notes, series.id)]


def _name(relation: Relation) -> NamedSeries:
    has_link = relation.kind != SOURCE_CODE and look_up(relation.target).exists is not False
    return NamedSeries(LABELS[relation.kind], relation.target, relation.quote, has_link)


def find_replaced(seriess: Sequence[Series]) -> Iterator[tuple[str, str]]:
    """Yield each series whose notes say that another one replaces it, and that one."""
    for series in seriess:
        for relation in find_relations((series.notes or "")[:MAX_READ_IN_LIST], series.id):
            if relation.kind == REPLACED_BY:
                yield series.id, relation.target


def find_twins_among(seriess: Sequence[Series]) -> Iterator[tuple[str, ...]]:
    """Yield the ids of series in a list that differ in their seasonal adjustment alone."""
    records, seen = [record_of(series) for series in seriess], set[str]()
    for record in records:
        if record.series_id not in seen and (twins := find_twins_in(records, record)):
            ids = (record.series_id, *sorted(one.series_id for one in twins))
            seen.update(ids)
            yield ids
