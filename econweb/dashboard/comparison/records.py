"""Complete records of a source: those of a frozen copy as they were, to be cited, or live ones as of their day."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from django.conf import settings
from django.http import HttpRequest

from econweb.accounts.people import Person
from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.sources import ComparedSource, Sources, name_sources
from econweb.dashboard.files.provenance import format_utc
from econweb.dashboard.frozen.against_live import live_source
from econweb.dashboard.frozen.contents import NotReady, find_content
from econweb.dashboard.frozen.landing import NOT_FOR_EVERYONE, PUBLIC, Landing, route_for
from econweb.dashboard.frozen.owner import frozen_owner
from econweb.dashboard.frozen.selection import absent_ids, restriction_of
from econweb.dashboard.frozen.series_pages import series_page
from econweb.dashboard.lookup.tag_owners import TagOwner, get_owner
from econweb.dashboard.page_links import page_link, series_link, url_path
from econweb.dashboard.rendering.pages import RELOAD_SECONDS
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.sharing.citations import Citation, join_lines
from econweb.library.canonical import Record
from econweb.library.copies import read_series
from econweb.library.models import FrozenCopy
from econweb.library.rights import may_see
from econweb.upstream.errors import Busy
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.upstream.records import Freshness, SeriesPage, Tag


@dataclass(frozen=True)
class SourceRecords:
    """The records of one source with their period and age, and the page that shows them."""

    rows: Sequence[Record]
    realtime_start: date
    realtime_end: date
    freshness: Freshness
    is_complete: bool
    link: str
    # The ids of a list that are not among its rows.
    absent: Set[str] = frozenset()

    def may_lack(self, records: Iterable[Record]) -> bool:
        """Return whether one of these is not here only because the set is not complete."""
        return not self.is_complete and any(isinstance(one, Tag) or one.id in self.absent for one in records)


def has_copy(sources: Sources) -> bool:
    return any(one.copy for one in sources.values())


def is_difference(sources: Sources) -> bool:
    """Return whether the page shows a difference.

    It does so for two states of one category or release, of which one is a frozen copy, and for two lists.
    """
    if len(sources) != 2:
        return False
    first, last = sources.values()
    if first.content == "list":
        return True
    texts = {one.copy.search_text for one in (first, last) if one.copy}
    return first.content == "tags" and _live_name(first) == _live_name(last) and len(texts) == 1


def has_two_lists(sources: Sources) -> bool:
    """Return whether the sources are two lists of different ids, and not two states of one list."""
    lists = [{*_live_name(one).removeprefix("list:").split(",")} for one in sources.values() if one.content == "list"]
    return len(lists) == 2 and lists[0] != lists[1]


def _live_name(source: ComparedSource) -> str:
    return live_source(source.copy) if source.copy else f"{source.kind}:{source.id}"


def cite_copies(query: CompareQuery, request: HttpRequest) -> dict[str, str]:
    """Return the citation of a comparison of frozen copies alone, and why its address does not open, if so."""
    copies = [source.copy for source in query.sources.values() if source.copy]
    if len(copies) < len(query.sources):
        return {"citation": ""}
    site = request.build_absolute_uri
    published = (Landing(copy, query.person, request).citation.publisher for copy in copies)
    cited = [
        f"{site(url_path(PUBLIC, copy.pk))}, {_all_rows(copy)}SHA-256 {copy.sha256}, frozen {format_utc(copy.created)}"
        f"{f', kept until {format_utc(copy.expires)}' if copy.expires else ''}"
        for copy in copies
    ]
    citation = Citation(
        name="compare",
        title=join_lines(f"{' compared with '.join(name_sources(query.sources).values())} [frozen copies]"),
        note="; ".join(cited),
        version="",
        issued=max(copy.created for copy in copies).date(),
        link=site(replace(query, person=None).link()),
        publisher="; ".join(dict.fromkeys(published)),
    )
    is_open = all(may_see(copy, None) for copy in copies)
    return {"citation": citation.text(), "closed_note": "" if is_open else NOT_FOR_EVERYONE}


def _all_rows(copy: FrozenCopy) -> str:
    """Say that all rows are compared, where the view that was frozen has fewer."""
    return f"all {copy.rows:,} rows, " if copy.view_rows < copy.rows else ""


def has_other_service(sources: Sources) -> bool:
    """Return whether a copy is of another service than the live sources."""
    return any(one.copy and one.copy.service != settings.ECON_BASE_URL for one in sources.values())


def searched_text(sources: Sources) -> str:
    """Return the words by which all copies were found: a live source is searched by them too."""
    texts = {one.copy.search_text for one in sources.values() if one.copy}
    return texts.pop() if len(texts) == 1 else ""


def note_on_search(sources: Sources) -> str:
    """Say that a copy has only what was found for some words, and whether the other sources were selected alike."""
    if text := searched_text(sources):
        return f"Only tags that the data provider found for “{text}”, as in the copy."
    found = {letter: restriction_of(one.copy.search_text) if one.copy else "" for letter, one in sources.items()}
    if not any(found.values()):
        return ""
    parts = [f"{name} has {found[letter] or 'no text filter'}" for letter, name in name_sources(sources).items()]
    return (
        f"The sources were selected differently: {'; '.join(parts)}. "
        "A tag that is shown in one alone may be in the others too."
    )


def tag_source(source: ComparedSource, text: str, person: Person | None) -> tuple[TagOwner, TagQuery]:
    """Return the owner of the source's tags, and the query for all of them."""
    if source.copy:
        return frozen_owner(source.copy, person), TagQuery(search_text=source.copy.search_text)
    query = TagQuery(realtime_start=source.day, realtime_end=source.day, search_text=text)
    return get_owner(source.kind, int(source.id)), query


def find_series(source: ComparedSource) -> SeriesPage:
    if source.copy:
        return series_page(source.copy, read_series(source.copy))
    return fetch_series(SeriesQuery(source.id, source.day, source.day))


def link_of_series(source: ComparedSource, person: Person | None) -> str:
    if source.copy:
        return url_path(route_for(person), source.copy.pk)
    return series_link(SeriesQuery(source.id, source.day, source.day))


def find_records(source: ComparedSource, text: str, person: Person | None) -> SourceRecords:
    if source.content == "list":
        return _records_of_list(source, person)
    owner, query = tag_source(source, text, person)
    page = owner.tags(query)
    return SourceRecords(
        page.all_tags, page.realtime_start, page.realtime_end, page.freshness, not page.is_truncated, owner.link(query)
    )


def _records_of_list(source: ComparedSource, person: Person | None) -> SourceRecords:
    if copy := source.copy:
        fetched, link = Freshness(copy.fetched), url_path(route_for(person), copy.pk)
        period, absent = (copy.realtime_start, copy.realtime_end), absent_ids(copy.missing.splitlines())
        return SourceRecords(read_series(copy), *period, fetched, copy.is_complete, link, absent)
    days = {"realtime_start": str(source.day), "realtime_end": str(source.day)} if source.day else {}
    link = page_link("series_list", ids=source.id, **days)
    try:
        content = find_content(link)
    except NotReady as error:
        raise Busy(str(error), RELOAD_SECONDS) from None
    freshness = Freshness(content.fetched, bool(content.failure), content.failure)
    period, absent = (content.realtime_start, content.realtime_end), absent_ids(content.missing)
    return SourceRecords(content.records, *period, freshness, content.is_complete, link, absent)
