"""Facts about a series id that need no request."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from string import ascii_uppercase, digits
from typing import Any, ClassVar, NamedTuple, Protocol

from django.conf import settings

from econweb.label_book.spelling import one_slip_away
from econweb.search_index.titles.places import record_of
from econweb.upstream import service
from econweb.upstream.errors import NotFound, UpstreamError
from econweb.upstream.queries import SeriesQuery, is_series_id
from econweb.upstream.records import SeriesPage

# Ids that are compared with those known, and proposals for each.
MAX_MISSPELT, MAX_NEAR = 20, 3
# In characters, of a word that is no id.
MAX_WORD = 100


class KnownSeries(NamedTuple):
    """A series id: `exists` is None where only a request could tell."""

    exists: bool | None
    title: str = ""
    # Units, frequency and adjustment.
    summary: str = ""


class Proposal(NamedTuple):
    """Another id, its title, and the link to the view that has it in place of the misspelt one."""

    id: str
    title: str
    link: str
    # True if the view has the other id already: the link would only leave out the misspelt one.
    is_there: bool = False


class ViewOfIds(Protocol):
    """A query of several series, which is a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def ids(self) -> tuple[str, ...]: ...
    def link(self) -> str: ...


class NearSeries(NamedTuple):
    """A series with nearly the same id. A service may not have one that only the sample has."""

    id: str
    title: str


def look_up(series_id: str) -> KnownSeries:
    """Look in the cache, then ask the embedded service (1 ms), but never another one."""
    query = SeriesQuery(series_id.upper())
    if page := service.cached_series(query):
        return _describe(page)
    failure = service.get_failure(query)
    if failure.message:
        return KnownSeries(None if failure.is_temporary else False)
    if settings.ECON_BASE_URL:
        return KnownSeries(None)
    try:
        return _describe(service.series(query))
    except NotFound:
        return KnownSeries(False)
    except UpstreamError:
        return KnownSeries(None)


def find_near(ids: Iterable[str]) -> dict[str, list[NearSeries]]:
    """Return for each id those of the sample, or shown by this process, that differ by one character."""
    misspelt = list(islice(ids, MAX_MISSPELT))
    if not misspelt:
        return {}
    titles = {**_sample_titles(), **{one.id: one.title for one in service.decoded_series().values()}}
    return {each: list(islice(_near(each.upper(), titles), MAX_NEAR)) for each in misspelt}


def find_parts(word: str) -> list[str]:
    """Return the known ids in a word with the name of a source, such as FRED:GDP, FRED/GDP or GDP@USECON."""
    parts = [part for part in re.split("[:/@]", word.upper()[:MAX_WORD]) if is_series_id(part) and not part.isdigit()]
    return [part for part in dict.fromkeys(parts[:MAX_NEAR]) if look_up(part).exists]


def name_parts(words: Iterable[str]) -> dict[str, str]:
    """Return by word the known ids in it, such as “GDP or UNRATE”; only the first words are looked at."""
    return {word: " or ".join(find_parts(word)) for word in islice(words, MAX_MISSPELT)}


def ask_for(ids: str) -> str:
    """Return the sentence that asks for these ids, after a blank; empty without ids."""
    return f" Did you mean {ids}?" if ids else ""


def propose_ids(query: ViewOfIds, misspelt: Iterable[str]) -> dict[str, list[Proposal]]:
    """Return by each misspelt id those that may be meant, and whether the view has them already."""

    def propose(wrong: str, near: NearSeries) -> Proposal:
        ids = tuple(dict.fromkeys(near.id if each == wrong else each for each in query.ids))
        return Proposal(*near, replace(query, ids=ids).link(), near.id in query.ids)

    return {wrong: [propose(wrong, one) for one in near] for wrong, near in find_near(misspelt).items()}


def _near(series_id: str, titles: Mapping[str, str]) -> Iterator[NearSeries]:
    for other in dict.fromkeys(one_slip_away(series_id, f"{ascii_uppercase}{digits}_")):
        if other != series_id and other in titles and (known := look_up(other)).exists is not False:
            yield NearSeries(other, known.title or titles[other])


@cache
def _sample_titles() -> Mapping[str, str]:
    with settings.SAMPLE_SERIES.open(encoding="utf-8", newline="") as rows:
        return {row["id"]: row["title"] for row in csv.DictReader(rows)}


def _describe(page: SeriesPage) -> KnownSeries:
    found = page.reply.seriess
    return KnownSeries(True, found[-1].title, record_of(found[-1]).summary) if found else KnownSeries(True)
