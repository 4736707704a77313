"""The tools of assistants: each reads its arguments with the form of a page, and answers with its sheet."""

from collections.abc import Callable
from dataclasses import replace

from django.http import QueryDict

from econweb.dashboard.comparison.difference import difference_sheet
from econweb.dashboard.comparison.fetching import fetch_difference, fetch_seriess, fetch_tags
from econweb.dashboard.comparison.forms import CompareForm
from econweb.dashboard.comparison.query import MIN_SOURCES, CompareQuery
from econweb.dashboard.comparison.records import is_difference
from econweb.dashboard.comparison.series import compare_fields
from econweb.dashboard.comparison.sheets import series_comparison_sheet, tag_comparison_sheet
from econweb.dashboard.comparison.sources import find_sources
from econweb.dashboard.error_texts.table import ERRORS
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.lookup.tag_owners import TagOwner, get_owner
from econweb.dashboard.mcp.answers import MAX_LINK, ROWS, Answer, describe_record, list_rows
from econweb.dashboard.page_links import series_link
from econweb.dashboard.parameter_checks import number_message, unknown_group_message
from econweb.dashboard.parameters import LinkForm, messages_of
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.series.forms import SeriesForm
from econweb.dashboard.series.sheet import series_sheet
from econweb.dashboard.series_search.query import PARSERS, SearchQuery
from econweb.dashboard.series_search.results import SearchResults, coverage
from econweb.dashboard.series_search.sheet import search_sheet
from econweb.dashboard.tags.forms import TagForm
from econweb.dashboard.tags.results import TagResults
from econweb.dashboard.tags.sheet import tag_sheet

# Makes an absolute address of a path.
Absolute = Callable[[str], str]
Given = dict[str, str]


class Refusal(Exception):
    """Arguments that cannot be used; the text says what to change."""


def describe_series(given: Given, absolute: Absolute) -> Answer:
    form = SeriesForm(given)
    _check(form)
    query = form.query()
    link = absolute(series_link(query))
    return describe_record(series_sheet(fetch_series(query), link, query.realtime_end, "json"), link)


def list_tags(given: Given, absolute: Absolute) -> Answer:
    owner, day = _find_owner(given.pop("source"), given.get("as_of", ""))
    filters = QueryDict(mutable=True)
    filters.update({"limit": str(ROWS)} | given | {"as_of": day})
    form = TagForm(filters)
    _check(form)
    query = form.query()
    if query.limit > ROWS:
        raise Refusal(number_message("limit", 1, ROWS))
    results = TagResults(owner, query, owner.tags(query))
    if words := results.describe_unknown_group():
        raise Refusal(words)
    link = _short(absolute(owner.link(query)))
    return list_rows(tag_sheet(results, link, "csv"), link, query.offset, query.limit)


def compare(given: Given, absolute: Absolute) -> Answer:
    sources = QueryDict(mutable=True)
    sources.update(given)
    form = CompareForm(sources)
    if not form.is_valid():
        meanings = [str(one) for found in form.unclear.values() for one in found]
        raise Refusal(" ".join([*messages_of(form), *([f"Choose: {', '.join(meanings)}."] if meanings else [])]))
    query = form.query()
    if len(query.sources) < MIN_SOURCES:
        raise Refusal(ERRORS["one_source"].message)
    link = _short(absolute(query.link()))
    return list_rows(_comparison_sheet(query, link), link, query.offset)


def search_series(given: Given, absolute: Absolute) -> Answer:
    form = LinkForm(given, PARSERS)
    _check(form)
    query = SearchQuery(**form.cleaned_data)
    results = SearchResults(query, ROWS)
    link = _short(absolute(query.link()))
    named = [f"{one.kind}:{one.id} is {one.name}" for one in results.names() if one.kind]
    found = [f"found: {results.size()}", *named, coverage()]
    answer = list_rows(search_sheet(results, link), link, 0, more=list(filter(None, found)))
    return replace(answer, offset=query.offset, has_more=results.total > query.offset + ROWS)


def _comparison_sheet(query: CompareQuery, link: str) -> Sheet:
    """Return the sheet of the comparison that the page of the same link shows."""
    if query.sources["a"].is_series:
        pages = fetch_seriess(query)
        rows = compare_fields([page.reply.seriess[-1] for page in pages.values()])
        return series_comparison_sheet(query, pages, rows, link)
    if is_difference(query.sources):
        return difference_sheet(fetch_difference(query), link)
    comparison, _ = fetch_tags(query)
    if words := unknown_group_message(query.tag_group_id, comparison.groups):
        raise Refusal(words)
    return tag_comparison_sheet(comparison, link)


def _find_owner(text: str, given_day: str) -> tuple[TagOwner, str]:
    """Return the category or release that a text means, and the day behind it or the given one."""
    found = [one for one in find_sources(text, given_day) if one.content == "tags" and not one.copy]
    if not found:
        raise Refusal("source is a category or release, such as category:125.")
    if len(found) > 1:
        names = ", ".join(f"{one} ({one.label})" for one in found[:8])
        raise Refusal(f"“{text}” may mean several sources. Choose: {names}.")
    return get_owner(found[0].kind, int(found[0].id)), str(found[0].day or "")


def _check(form: LinkForm) -> None:
    if not form.is_valid():
        raise Refusal(" ".join(messages_of(form)))


def _short(link: str) -> str:
    if len(link) > MAX_LINK:
        raise Refusal("These filters are too long for a link. Use fewer or shorter ones.")
    return link
