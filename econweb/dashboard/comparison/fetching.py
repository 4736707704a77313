"""Fetch the sources of a comparison, and compare them: for pages, files and assistants."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings

from econweb.dashboard.comparison.difference import RecordComparison
from econweb.dashboard.comparison.query import CompareQuery
from econweb.dashboard.comparison.records import SourceRecords, find_records, find_series, searched_text, tag_source
from econweb.dashboard.comparison.sources import ComparedSource
from econweb.dashboard.comparison.table import TagComparison
from econweb.dashboard.error_texts.messages import SOURCES_STILL_LOADING
from econweb.dashboard.rendering.pages import RELOAD_SECONDS
from econweb.upstream.errors import BadReply, Busy, NotFound, Refused, make_error, message_of
from econweb.upstream.records import SeriesPage, TagPage

Page = TypeVar("Page", SeriesPage, TagPage, SourceRecords)


def fetch_seriess(query: CompareQuery) -> dict[str, SeriesPage]:
    return _fetch_each(query, lambda letter: find_series(query.sources[letter]))


def fetch_difference(query: CompareQuery) -> RecordComparison:
    text = searched_text(query.sources)
    return RecordComparison(
        query, _fetch_each(query, lambda letter: find_records(query.sources[letter], text, query.person))
    )


def fetch_tags(query: CompareQuery) -> tuple[TagComparison, dict[str, str]]:
    """Return the comparison, and a link to the tags of each source."""
    text = searched_text(query.sources)
    found = {letter: tag_source(one, text, query.person) for letter, one in query.sources.items()}
    owners = {letter: owner for letter, (owner, _) in found.items()}
    pages = _fetch_each(query, lambda letter: owners[letter].tags(found[letter][1]))
    return TagComparison(query, owners, pages), {letter: owner.link(asked) for letter, (owner, asked) in found.items()}


def about(source: ComparedSource) -> str:
    """Return how a message about one source begins."""
    return f"{source.title}: "


def _fetch_each(query: CompareQuery, ask: Callable[[str], Page]) -> dict[str, Page]:
    """Fetch one source after another. Fetched ones are cached, so a retry continues after them."""
    late = time.monotonic() + settings.ECON_TIMEOUT / 2
    pages: dict[str, Page] = {}
    for letter, source in query.sources.items():
        if pages and time.monotonic() >= late:
            message = SOURCES_STILL_LOADING.format(loaded=len(pages), total=len(query.sources))
            raise Busy(message, RELOAD_SECONDS)
        try:
            pages[letter] = ask(letter)
        except (NotFound, Refused, BadReply) as error:
            message = f"{about(source)}{message_of(error)}"
            raise make_error(type(error), message, vars(error)) from None
    return pages
