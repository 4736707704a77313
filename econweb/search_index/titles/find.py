"""Find series: an exact id first, then titles with all words and ids that begin so, the most popular first."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from econweb.search_index.titles import title_index
from econweb.search_index.titles.full_text import facet_words, find_places
from econweb.search_index.titles.interpret import Interpretation, interpret
from econweb.search_index.titles.lenient_read import read_or
from econweb.search_index.titles.places import FACET_BITS, Facets, Record, facets_of
from econweb.search_index.titles.words import fold_words

# Places that are counted: 825,000 would take 0.2 s.
MAX_COUNTED = 3_000
# The first results, whose order depends on the words as well.
MAX_RANKED = 100
_ID = re.compile(r"[A-Z0-9_]{1,25}", re.ASCII)


@dataclass(frozen=True)
class TitleQuery:
    """A search: words, facets by name, and which of the results."""

    text: str
    frequency: str = ""
    seasonal_adjustment: str = ""
    # `yes`, `no` or empty.
    discontinued: str = ""
    offset: int = 0
    limit: int = 50
    # The ids of series that the caller shows already.
    without: Collection[str] = ()


@dataclass(frozen=True)
class TitleResults:
    """Some results and what is known of all of them."""

    rows: Sequence[Record] = ()
    # At most MAX_COUNTED; there are more if `is_more`.
    count: int = 0
    is_more: bool = False
    # By facet and name, each under the other filters.
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    meaning: Interpretation = field(default_factory=Interpretation)


class _ById(NamedTuple):
    """The place of the series with an id, 0 for none, and of those whose ids begin with it."""

    exact: int = 0
    places: Sequence[int] = ()


def find(query: TitleQuery) -> TitleResults:
    """Return a page of results, and counts of all of them."""
    meaning, by_id = _understand(query.text)
    without = title_index.places_of(query.without)
    places = _find_places(meaning, [], by_id, without, MAX_COUNTED + 1)
    is_more = len(places) > MAX_COUNTED
    is_narrow = bool(words := facet_words(Facets(query.frequency, query.seasonal_adjustment, query.discontinued)))
    matching = [place for place in places[:MAX_COUNTED] if not is_narrow or has_facets(place, query)]
    if is_more and is_narrow:
        begun = by_id._replace(places=[place for place in by_id.places if has_facets(place, query)])
        matching = _find_places(meaning, words, begun, without, MAX_COUNTED + 1)
        is_more = len(matching) > MAX_COUNTED
        matching = matching[:MAX_COUNTED]
    facets = count_facets(places[:MAX_COUNTED], query)
    return TitleResults(_rows(query, matching, by_id.exact, meaning), len(matching), is_more, facets, meaning)


def find_best(text: str, limit: int) -> list[Record]:
    """Return the first results alone, which takes half the time; none where the index cannot be read."""
    return read_or(lambda: _find_best(TitleQuery(text, limit=limit)), [])


def _find_best(query: TitleQuery) -> list[Record]:
    meaning, by_id = _understand(query.text)
    return _rows(query, _find_places(meaning, [], by_id, [], MAX_RANKED), by_id.exact, meaning)


def _understand(text: str) -> tuple[Interpretation, _ById]:
    """Return what the words mean, and the series whose ids begin with the text: then it is not misspelt."""
    series_id = text.strip().upper()
    found = title_index.places_by_id(series_id) if _ID.fullmatch(series_id) else {}
    meaning = interpret(text)
    if found and meaning.is_corrected:
        meaning = Interpretation()
    return meaning, _ById(found.get(series_id, 0), [*found.values()])


def _find_places(
    meaning: Interpretation, facets: Sequence[str], by_id: _ById, without: Collection[int], limit: int
) -> list[int]:
    """Return the exact id, and then the other places, best first."""
    places = find_places(meaning.groups, facets, limit + len(without)) if meaning.groups else []
    if not by_id.places and not without:
        return places
    every = {*places, *by_id.places}.difference(without)
    return sorted(every, key=lambda place: (place != by_id.exact, place))[:limit]


def has_facets(place: int, query: TitleQuery) -> bool:
    """Return whether the facets of a place are those that are asked for."""
    facets = facets_of(place)
    return (
        query.frequency in {"", facets.frequency}
        and query.seasonal_adjustment in {"", facets.seasonal_adjustment}
        and query.discontinued in {"", facets.discontinued}
    )


def count_facets(places: Sequence[int], query: TitleQuery) -> dict[str, dict[str, int]]:
    """Count each value of a facet under the other filters; places with the same facets are counted together."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in Facets._fields}
    for bits, number in Counter(map(FACET_BITS.__and__, places)).items():
        values = facets_of(bits)._asdict()
        differing = [name for name, value in values.items() if getattr(query, name) not in {"", value}]
        for name in differing if len(differing) == 1 else values if not differing else ():
            counts[name][values[name]] += number
    return {name: dict(found.most_common()) for name, found in counts.items()}


def _rows(query: TitleQuery, places: Sequence[int], exact: int, meaning: Interpretation) -> list[Record]:
    """Return the rows of the page; the words decide about the order of the first MAX_RANKED."""
    first, last = query.offset, query.offset + query.limit
    if first >= MAX_RANKED:
        return [*title_index.read_records(places[first:last]).values()]
    head = title_index.read_records(places[:MAX_RANKED])
    # No title has a misspelt word.
    words = [*meaning.words] if meaning.is_corrected else fold_words(query.text)
    ranked = sorted(head, key=lambda place: (place != exact, -_worth(place, head[place], words)))
    rest = title_index.read_records(places[MAX_RANKED:last])
    return [*(head[place] for place in ranked), *rest.values()][first:last]


def _worth(place: int, record: Record, words: Sequence[str]) -> float:
    """Weigh the popularity with how much of the title the search names."""
    own = fold_words(record.title)
    different = {*own}
    shared = len(different.intersection(words))
    # An id may begin with a search whose words, like those of the title, have no letter.
    share = shared / max(1, len(different) + len({*words}) - shared)
    is_beginning = own[: len(words)] == words
    return record.popularity + 30 * share + 10 * is_beginning - 1000 * (facets_of(place).discontinued == "yes")
