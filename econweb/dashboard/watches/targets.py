"""The views that a person can follow: each as it is now, with its sources and the words of pages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from econweb.dashboard.lookup.known_series import look_up
from econweb.dashboard.lookup.tag_owners import get_owner
from econweb.dashboard.news.sources import Source, sources_of
from econweb.dashboard.page_links import series_link, split_link
from econweb.dashboard.rendering.filters import first_names
from econweb.dashboard.saved.targets import MAX_NAMED_SERIES, BadTarget, NoView, kind_and_link
from econweb.dashboard.series_list.query import SeriesListQuery
from econweb.dashboard.tags.filters import active_filters
from econweb.dashboard.tags.forms import TagForm
from econweb.search_index.titles.title_index import find_by_ids
from econweb.upstream.queries import SeriesQuery, TagQuery
from econweb.watching.models import LIST, SERIES, TAGS

# The kinds of watches, as people read them.
KINDS = {TAGS: "Tags", SERIES: "Series", LIST: "Series lists"}
NOT_FOLLOWED = "Only a series, a series list, a category or a release can be followed."
NO_COMPARISON = "A comparison cannot be followed. Follow what it compares."


@dataclass(frozen=True)
class Followed:
    """A view that somebody follows or may follow; the filters are in words."""

    kind: str
    link: str
    name: str
    filters: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def kind_name(self) -> str:
        return "Series list" if self.kind == LIST else KINDS[self.kind]

    @property
    def text(self) -> str:
        """Return the words by which a list finds it."""
        return " ".join((self.name, KINDS[self.kind], *self.filters, *(key for _, key in self.sources))).casefold()

    def missing(self) -> str:
        """Return the ids of series that are known to be missing: the first ones of many."""
        ids = [key for kind, key in self.sources if kind == "series" and look_up(key).exists is False]
        return first_names(ids, MAX_NAMED_SERIES)


def read_followed(text: str, host: str) -> Followed:
    """Return what a link of this site shows, as it is now: order, columns, page and dates are no part of a watch."""
    try:
        kind, link = kind_and_link(text, host)
    except NoView:
        raise BadTarget(NOT_FOLLOWED) from None
    if kind not in KINDS:
        raise BadTarget(NO_COMPARISON)
    titles = {key: look_up(key).title for _, key in sources_of(kind, link)} if kind == SERIES else {}
    return describe(kind, _link_of_now(kind, link), titles)


def titles_of(watches: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the titles of the followed series that are in the index."""
    ids = {key for kind, link in watches if kind == SERIES for _, key in sources_of(kind, link)}
    return {one.series_id: one.title for one in find_by_ids(ids).values()}


def describe(kind: str, link: str, titles: Mapping[str, str]) -> Followed:
    """Return the view behind a canonical link, which needs no request."""
    sources = tuple(dict.fromkeys(sources_of(kind, link)))
    ids = [key for _, key in sources]
    filters: tuple[str, ...] = ()
    if kind == TAGS:
        ((of, number),) = sources
        name = get_owner(of, int(number)).full_title
        filters = tuple(
            f"Tag {one.label}" if one.parameter == "tag_names" else one.label for one in active_filters(_tags(link))
        )
    elif kind == SERIES:
        name = " · ".join(filter(None, (ids[0], titles.get(ids[0]))))
    else:
        name = f"{len(ids)} series: {first_names(ids, MAX_NAMED_SERIES)}"
    return Followed(kind, link, name, filters, sources)


def _link_of_now(kind: str, link: str) -> str:
    sources = sources_of(kind, link)
    if kind == SERIES:
        return series_link(SeriesQuery(sources[0][1]))
    if kind == LIST:
        return SeriesListQuery(tuple(key for _, key in sources)).link()
    query = _tags(link)
    return get_owner(sources[0][0], int(sources[0][1])).link(
        TagQuery(tag_names=query.tag_names, tag_group_id=query.tag_group_id, search_text=query.search_text)
    )


def _tags(link: str) -> TagQuery:
    return TagForm(split_link(link)[1]).query()
