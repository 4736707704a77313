"""The names of sources in news: labels of categories and releases, ids and titles of series."""

from collections.abc import Iterable

from django.conf import settings

from econweb.label_book.lookup import get_label
from econweb.search_index.titles.title_index import find_by_ids

Source = tuple[str, str]


def name_sources(sources: Iterable[Source]) -> dict[Source, str]:
    """Return the names, always in one order; one statement reads all titles."""
    wanted = sorted(set(sources))
    titles = find_by_ids({key for kind, key in wanted if kind == "series"})
    return {source: _name(source, titles[source[1]].title if source[1] in titles else "") for source in wanted}


def name_in_mails(sources: Iterable[Source]) -> dict[Source, str]:
    """Return the names without titles where texts may not be stored: others store mails."""
    return name_sources(sources) if settings.ECON_MAY_STORE else {source: _name(source) for source in sources}


def _name(source: Source, title: str = "") -> str:
    kind, key = source
    if kind == "series":
        return f"{key} · {title}" if title else key
    label, number = get_label(kind, int(key)), f"{kind.capitalize()} {key}"
    return f"{label.name} · {number}" if label else number
