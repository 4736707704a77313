"""The content of a view of this site, as it is to be frozen."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import QueryDict
from django.urls import resolve

from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import FROZEN_KINDS, series_link, split_link
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.series.forms import series_form
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.loading import load_list
from econweb.dashboard.tags.forms import TagForm
from econweb.library.freezing import Content
from econweb.upstream import service

# Series of a list that a check asks for again; more of them would spend the rate limit.
MAX_RENEWED = 30
STILL_LOADING = "This list is still loading, or has no series. Open it, wait until it is there, and try again."


class NotReady(Exception):
    """The view has no content to freeze yet; the message says why."""


def find_content(link: str, renew: bool = False) -> Content:
    """Return the content of a view, or raise an error of the service; `renew` asks for a newer answer."""
    path, given = split_link(link)
    match = resolve(path)
    return FINDERS[FROZEN_KINDS[str(match.url_name)]](given, renew=renew, **match.kwargs)


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
    if renew and results.pause:
        raise NotReady(results.pause)
    if results.pending_count or not results.found:
        raise NotReady(STILL_LOADING)
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
        missing=[f"{entry.series_id}: {entry.error}" for entry in results.missing],
        is_complete=not results.missing,
    )


FINDERS: dict[str, Callable[..., Content]] = {"tags": _find_tags, "series": _find_series, "list": _find_list}
