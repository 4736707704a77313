"""The names of sources in news: labels of categories and releases, ids and titles of series."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models import QuerySet

from econweb.dashboard.news.sources import Source
from econweb.label_book import lookup as labels
from econweb.search_index.titles.title_index import find_by_ids
from econweb.watching.models import SERIES, Announcement
from econweb.watching.news import NewsItem, read_items


def titles_of(sources: Iterable[Source]) -> dict[str, str]:
    """Return the titles of those series that are in the index, always in one order."""
    found = find_by_ids({key for kind, key in sources if kind == SERIES})
    return {series_id: found[series_id].title for series_id in sorted(found)}


def name_of(source: Source, titles: Mapping[str, str]) -> str:
    kind, key = source
    title = titles.get(key) if kind == SERIES else None
    return f"{key} · {title}" if title else labels.source_name(kind, key)


def read_named(found: QuerySet[Announcement]) -> list[NewsItem]:
    """Return the news with the names of their sources; one statement reads all titles."""
    items = read_items(found, labels.source_name)
    titles = titles_of(item.source for item in items)
    return [replace(item, name=name_of(item.source, titles)) for item in items]


def revision_of(found: QuerySet[Announcement]) -> object:
    """Return what changes with the news, their order and the names of their sources."""
    rows = list(found.values_list("pk", "source__kind", "source__key"))
    return rows, titles_of((kind, key) for _, kind, key in rows), labels.revision()
