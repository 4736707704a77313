"""The content of a view of this site, as it is to be frozen."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.urls import resolve

from econweb.dashboard.error_texts.messages import NO_RECORD_SENT, NO_SERIES_FOUND
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import FROZEN_KINDS, series_link, split_link
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.series.forms import series_form
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.loading import load_list
from econweb.dashboard.tags.forms import TagForm
from econweb.library.freezing import Content
from econweb.search_index.titles.sample import current_edition, shows_sample
from econweb.upstream import service
from econweb.upstream.errors import NOT_IN_PERIOD, NotFound

# Series of a list that a check asks for again; more of them would spend the rate limit.
MAX_RENEWED = 30
STILL_LOADING = "This list is still loading. Open it, wait until it is there, and try again."


class NoSeries(Exception):
    """A list has none of its series; the service says of those in `gone` that it does not have them."""

    def __init__(self, message: str, gone: Sequence[str]) -> None:
        super().__init__(message)
        self.gone = gone


class NotReady(Exception):
    """The view has no content to freeze yet; the message says why."""


def find_content(link: str) -> Content:
    """Return the content of a view, or raise NotReady or an error of the service."""
    try:
        return _find(link, renew=False)
    except NoSeries as error:
        raise NotFound(str(error)) from None


def ask_again(link: str) -> Content:
    """Ask for a newer answer, and return the content of a view, or raise NoSeries, too."""
    return _find(link, renew=True)


def _find(link: str, renew: bool) -> Content:
    path, given = split_link(link)
    match = resolve(path)
    edition = current_edition(renew=True)
    found = FINDERS[FROZEN_KINDS[str(match.url_name)]](given, renew=renew, **match.kwargs)
    content = replace(found, is_sample=shows_sample())
    # After a load meanwhile, the content may be of one catalogue and its origin of another.
    return content if current_edition(renew=True) == edition else _find(link, renew)


def _find_tags(given: QueryDict, kind: str, number: int, renew: bool) -> Content:
    owner, query = get_owner(kind, number), replace(TagForm(given).query(), offset=0)
    page = owner.tags(query, renew)
    return Content(
        kind="tags",
        target=owner.link(query),
        records=page.all_tags,
        view=page.matches,
        realtime_start=page.realtime_start,
        realtime_end=page.realtime_end,
        fetched=page.freshness.fetched,
        failure=page.freshness.error,
        series=page.series,
        warnings=page.warnings,
        is_complete=not page.is_truncated,
        owner_name=owner.name,
    )


def _find_series(given: QueryDict, series_id: str, renew: bool) -> Content:
    form = series_form(given, series_id)
    query = form.query()
    if renew:
        service.series(query, renew=True)
    page = fetch_series(query)
    return Content(
        kind="series",
        target=series_link(query),
        records=page.reply.seriess,
        view=page.reply.seriess,
        realtime_start=page.reply.realtime_start,
        realtime_end=page.reply.realtime_end,
        fetched=page.freshness.fetched,
        failure=page.freshness.error,
    )


def _find_list(given: QueryDict, renew: bool, **_: Any) -> Content:
    form = SeriesListForm(given)
    query = form.query()
    results = load_list(query, renew=renew and len(query.series_queries()) <= MAX_RENEWED)
    if renew and results.pause.reason:
        raise NotReady(results.pause.reason)
    # A copy stores them, and with them the messages of the service.
    missing = [
        f"{entry.series_id}: {entry.error if settings.ECON_MAY_STORE else NO_RECORD_SENT}" for entry in results.missing
    ]
    # A service may refuse the past of what it has.
    gone = [one.series_id for one in results.missing if one.failure.is_explicit and one.error != NOT_IN_PERIOD]
    failed = [entry.series_id for entry in results.missing if entry.failure.is_temporary]
    if results.pending_count or (failed and not results.found):
        raise NotReady(STILL_LOADING)
    if not results.found:
        # Most often all have the same reason.
        raise NoSeries(" ".join([NO_SERIES_FOUND, *missing[:1]]), gone)
    (start, end), freshness = results.period(), results.freshness()
    return Content(
        kind="list",
        target=query.link(),
        records=results.found,
        view=results.found,
        realtime_start=start,
        realtime_end=end,
        fetched=freshness.fetched,
        failure=freshness.error,
        missing=missing,
        gone=gone,
        failed=failed,
        is_complete=not missing,
    )


FINDERS: dict[str, Callable[..., Content]] = {"tags": _find_tags, "series": _find_series, "list": _find_list}
