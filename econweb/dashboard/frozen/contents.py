"""The content of a view of this site, as it is to be frozen."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.urls import Resolver404, resolve

from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.page_links import series_link
from econweb.dashboard.series.fetch import fetch_series
from econweb.dashboard.series.forms import SeriesForm
from econweb.dashboard.series_list.forms import SeriesListForm
from econweb.dashboard.series_list.loading import load_list
from econweb.dashboard.tags.forms import TagParameters
from econweb.library.freezing import Content
from econweb.library.models import MAX_TARGET

CANNOT_FREEZE = (
    "This link cannot be frozen. Open a list of tags, a series or a series list, and choose Save or freeze there."
)


def find_content(link: str) -> tuple[str, Content]:
    """Return a title and the content of a view; raise ValidationError, or an error of the service."""
    parts = urlsplit(link)
    try:
        match = resolve(parts.path)
    except Resolver404:
        raise ValidationError(CANNOT_FREEZE) from None
    find = FINDERS.get(str(match.url_name))
    if parts.netloc or find is None:
        raise ValidationError(CANNOT_FREEZE)
    title, content = find(QueryDict(parts.query), **match.kwargs)
    if len(content.target) > MAX_TARGET:
        raise ValidationError(
            f"The link of a view has at most {MAX_TARGET:,} characters to be frozen. Narrow the view."
        )
    return title, content


def _find_tags(given: QueryDict, kind: str, number: int) -> tuple[str, Content]:
    form = TagParameters(given)
    if not form.is_valid():
        raise ValidationError(CANNOT_FREEZE)
    owner, query = get_owner(kind, number), replace(form.query(), offset=0)
    page = owner.tags(query)
    return owner.full_title, Content(
        kind="tags",
        target=owner.link(query),
        records=page.all_tags,
        view=page.matches,
        realtime_start=page.realtime_start,
        realtime_end=page.realtime_end,
        fetched=page.freshness.fetched,
        series=page.series,
        warnings=page.warnings,
        is_complete=not page.is_truncated,
    )


def _find_series(given: QueryDict, series_id: str) -> tuple[str, Content]:
    form = SeriesForm({**given.dict(), "series_id": series_id.upper()})
    if not form.is_valid():
        raise ValidationError(CANNOT_FREEZE)
    query = form.query()
    page = fetch_series(query)
    records = page.reply.seriess
    return f"{records[-1].id}: {records[-1].title}", Content(
        kind="series",
        target=series_link(query),
        records=records,
        view=records,
        realtime_start=page.reply.realtime_start,
        realtime_end=page.reply.realtime_end,
        fetched=page.freshness.fetched,
    )


def _find_list(given: QueryDict, **_: Any) -> tuple[str, Content]:
    form = SeriesListForm(given)
    if not form.is_valid() or not form.query().ids:
        raise ValidationError(CANNOT_FREEZE)
    query = form.query()
    listing = load_list(query)
    if listing.pending_count or not listing.found:
        raise ValidationError(
            "This list is still loading, or has no series. Open it, wait until it is there, and try again."
        )
    start, end = listing.period()
    return f"Series list, {listing.size()}", Content(
        kind="list",
        target=query.link(),
        records=listing.found,
        view=listing.found,
        realtime_start=start,
        realtime_end=end,
        fetched=listing.freshness().fetched,
        missing=[f"{entry.series_id}: {entry.error}" for entry in listing.missing],
        is_complete=not listing.missing,
    )


FINDERS: dict[str, Callable[..., tuple[str, Content]]] = {
    "tags": _find_tags,
    "series": _find_series,
    "series_list": _find_list,
}
